package pools

import (
	"compress/flate"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

const (
	writerMethods = "Write WriteString WriteByte WriteRune Flush Reset Close "
	readerMethods = "Read ReadByte ReadRune ReadString ReadBytes UnreadByte UnreadRune Discard Buffered Size WriteTo Reset Multistream Close"
)

// An object is a type of the standard library whose values can be used again
// after a reset.
type object struct {
	flow.Object
	noun   string // several of them
	leaf   string // packages that allocate on its behalf, by prefix
	resets string // what documents the reset

	makers string // functions that make one; the first argument is what it works on, if there is one
	sized  string // the one of them whose second argument is a size
	level  string // the one of them whose second argument is a level of compression, and that fails only if there is no such level
	reads  bool   // the maker reads, and fails if it cannot: so does Reset
	zero   bool   // its zero value is ready
	hash   bool   // the maker decides what it is, and the variable is a hash.Hash

	size string // what one keeps allocated
	big  bool   // that can grow: Cap tells
}

var objects = []object{
	{Object: flow.Buffer,
		noun: "buffers", zero: true, big: true, leaf: "bytes.", makers: "NewBuffer", size: "64 KiB at most",
		resets: "bytes.Buffer: Reset resets the buffer to be empty, and it keeps its storage"},
	{Object: flow.Object{Pkg: "bufio", Name: "Writer", Methods: writerMethods + "Available Buffered Size ReadFrom"},
		noun: "writers", leaf: "bufio.", makers: "NewWriter NewWriterSize", sized: "NewWriterSize",
		resets: "bufio.Writer: Reset discards unflushed data, clears any error and resets it to write to w"},
	{Object: flow.Object{Pkg: "bufio", Name: "Reader", Methods: readerMethods, Parts: "Peek ReadSlice ReadLine"},
		noun: "readers", leaf: "bufio.", makers: "NewReader NewReaderSize", sized: "NewReaderSize",
		resets: "bufio.Reader: Reset discards any buffered data, resets all state, and switches to reading from r"},
	{Object: flow.Object{Pkg: "compress/gzip", Name: "Writer", Methods: writerMethods},
		noun: "compressors", leaf: "compress/", makers: "NewWriter NewWriterLevel", level: "NewWriterLevel", size: "some 800 KiB",
		resets: "gzip.Writer: Reset makes it equivalent to what NewWriter or NewWriterLevel returned"},
	{Object: flow.Object{Pkg: "compress/zlib", Name: "Writer", Methods: writerMethods},
		noun: "compressors", leaf: "compress/", makers: "NewWriter NewWriterLevel", level: "NewWriterLevel", size: "some 800 KiB",
		resets: "zlib.Writer: Reset clears its state so that it is as NewWriter or NewWriterLevel made it"},
	{Object: flow.Object{Pkg: "compress/flate", Name: "Writer", Methods: writerMethods},
		noun: "compressors", leaf: "compress/", makers: "NewWriter", level: "NewWriter", size: "some 800 KiB",
		resets: "flate.Writer: Reset makes it equivalent to what NewWriter returned"},
	{Object: flow.Object{Pkg: "compress/gzip", Name: "Reader", Methods: readerMethods},
		noun: "decompressors", leaf: "compress/", makers: "NewReader", reads: true, size: "some 40 KiB",
		resets: "gzip.Reader: Reset makes it equivalent to what NewReader returned"},
	{Object: flow.Object{Pkg: "hash", Name: "Hash", Methods: "Write Sum Reset Size BlockSize"},
		noun: "hashes", hash: true, leaf: "crypto/", size: "one hash state", resets: "hash.Hash: Reset resets the hash to its initial state"},
}

// hashMakers are the functions without arguments that make a hash.Hash whose
// Reset brings back what they return.
var hashMakers = []string{"crypto/sha256.New", "crypto/sha256.New224", "crypto/sha512.New", "crypto/sha512.New384",
	"crypto/sha512.New512_256", "crypto/sha512.New512_224", "crypto/sha1.New", "crypto/md5.New"}

// objectOf returns the entry for a type, or a pointer to it; nil if there is
// none.
func objectOf(t types.Type) *object {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	for i := range objects {
		if o := &objects[i]; o.Pkg == n.Obj().Pkg().Path() && o.Name == n.Obj().Name() {
			return o
		}
	}
	return nil
}

// A making is how a variable's object is made.
type making struct {
	text  string   // the expression for the pool's New
	first string   // a statement before it
	on    ast.Expr // what it works on, nil if nothing
	size  int64    // of its buffer, where the call says it
	fails bool     // an error comes with it
}

// making returns how e makes an object, nil if it does not make one that a
// pool could hold. A nil e is the zero value.
func (o *object) making(p *prove.Program, fn *prove.Function, e ast.Expr) *making {
	qualifier := o.Pkg[strings.LastIndexByte(o.Pkg, '/')+1:]
	if e == nil {
		return zeroMaking(o.zero, qualifier+"."+o.Name)
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return zeroMaking(o.zero && ok && len(lit.Elts) == 0, qualifier+"."+o.Name)
	case *ast.CompositeLit:
		return zeroMaking(o.zero && len(e.Elts) == 0, qualifier+"."+o.Name)
	case *ast.CallExpr:
		if code.Builtin(fn.Info(), e) == "new" {
			return zeroMaking(o.zero, qualifier+"."+o.Name)
		}
		return o.called(p, fn, e)
	}
	return nil
}

func zeroMaking(ok bool, typ string) *making {
	if !ok {
		return nil
	}
	return &making{text: "new(" + typ + ")"}
}

// called is for objects that a function makes.
func (o *object) called(p *prove.Program, fn *prove.Function, call *ast.CallExpr) *making {
	target := code.Callee(fn.Info(), call)
	if target == nil || target.Pkg() == nil {
		return nil
	}
	name := p.Source(fn.File, call.Fun)
	if o.hash {
		if len(call.Args) == 0 && slices.Contains(hashMakers, target.Pkg().Path()+"."+target.Name()) {
			return &making{text: name + "()"}
		}
		return nil
	}
	if target.Pkg().Path() != o.Pkg || !flow.NameMatches(o.makers, target.Name()) || len(call.Args) == 0 {
		return nil
	}
	if o.zero {
		return zeroMaking(code.IsNil(fn.Info(), call.Args[0]), o.Pkg+"."+o.Name)
	}
	m := &making{text: name + "(nil)", on: call.Args[0], size: 4096}
	switch target.Name() {
	case o.sized:
		size, ok := prove.ConstInt(fn.Info(), call.Args[1])
		if !ok || !prove.PackageLevel(fn.Info(), call.Args[1]) {
			return nil
		}
		m.text, m.size = name+"(nil, "+p.Source(fn.File, call.Args[1])+")", size
	case o.level:
		level, ok := prove.ConstInt(fn.Info(), call.Args[1])
		if !ok || level < flate.HuffmanOnly || level > flate.BestCompression || !prove.PackageLevel(fn.Info(), call.Args[1]) {
			return nil
		}
		m.first, m.text, m.fails = "w, _ := "+name+"(nil, "+p.Source(fn.File, call.Args[1])+")", "w", true
	}
	if o.reads {
		m.text, m.fails = "new("+strings.TrimSuffix(name, target.Name())+o.Name+")", true
	}
	return m
}
