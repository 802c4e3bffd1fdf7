package propose

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// An object is a type of the standard library whose values can be used again
// after a reset, and what is known of its methods.
type object struct {
	pkg, name string
	noun      string // several of them
	methods   string // they neither keep the receiver nor hand out its memory
	parts     string // their result is a part of its memory
	leaf      string // packages that allocate on its behalf, by prefix
	resets    string // what documents the reset

	makers string // functions that make one; the first argument is what it works on, if there is one
	sized  string // the one of them whose second argument is a size
	zero   bool   // its zero value is ready
	hash   bool   // the maker decides what it is, and the variable is a hash.Hash

	size string // what one keeps allocated
	big  bool   // that can grow: Cap tells
}

const writerMethods = "Write WriteString WriteByte WriteRune Flush Reset Close "

var objects = []object{
	{pkg: "bytes", name: "Buffer", noun: "buffers", zero: true, big: true, leaf: "bytes.",
		methods: "Write WriteString WriteByte WriteRune WriteTo ReadFrom Read ReadByte ReadRune ReadBytes ReadString UnreadByte UnreadRune Len String Reset Truncate Grow",
		parts:   "Bytes Next", makers: "NewBuffer", size: "64 KiB at most", resets: "bytes.Buffer: Reset resets the buffer to be empty, and it keeps its storage"},
	{pkg: "bufio", name: "Writer", noun: "writers", leaf: "bufio.", methods: writerMethods + "Available Buffered Size ReadFrom",
		makers: "NewWriter NewWriterSize", sized: "NewWriterSize", resets: "bufio.Writer: Reset discards unflushed data, clears any error and resets it to write to w"},
	{pkg: "compress/gzip", name: "Writer", noun: "compressors", leaf: "compress/", methods: writerMethods, makers: "NewWriter", size: "some 800 KiB",
		resets: "gzip.Writer: Reset makes it equivalent to what NewWriter returns"},
	{pkg: "compress/zlib", name: "Writer", noun: "compressors", leaf: "compress/", methods: writerMethods, makers: "NewWriter", size: "some 800 KiB",
		resets: "zlib.Writer: Reset clears its state so that it is as NewWriter made it"},
	{pkg: "hash", name: "Hash", noun: "hashes", hash: true, leaf: "crypto/", methods: "Write Sum Reset Size BlockSize", size: "one hash state",
		resets: "hash.Hash: Reset resets the hash to its initial state"},
}

// hashMakers are the functions without arguments that make a hash.Hash whose
// Reset brings back what they return.
var hashMakers = []string{"crypto/sha256.New", "crypto/sha256.New224", "crypto/sha512.New", "crypto/sha512.New384",
	"crypto/sha512.New512_256", "crypto/sha512.New512_224", "crypto/sha1.New", "crypto/md5.New"}

// streams are functions that work on a writer or reader within the call, and
// those whose result refers to it.
var streams = []contract{
	{pkg: "io", names: "Copy CopyN CopyBuffer WriteString ReadAll ReadFull ReadAtLeast", says: "package io's functions work on readers and writers within the call"},
	{pkg: "encoding/binary", names: "Write Read", says: "binary.Read and binary.Write work within the call"},
	{pkg: "encoding/json", names: "Indent Compact HTMLEscape", says: "encoding/json appends to dst within the call"},
	{pkg: "encoding/json", names: "NewEncoder NewDecoder", alias: true, says: "json.Encoder and json.Decoder work within their methods"},
	{pkg: "encoding/xml", names: "Escape EscapeText", says: "encoding/xml writes within the call"},
	{pkg: "encoding/xml", names: "NewEncoder", alias: true, says: "an xml.Encoder writes within its methods"},
	{pkg: "encoding/gob", names: "NewEncoder", alias: true, says: "a gob.Encoder writes within Encode"},
	{pkg: "encoding/csv", names: "NewWriter", alias: true, says: "a csv.Writer writes within its methods"},
	{pkg: "encoding/pem", names: "Encode", says: "pem.Encode writes within the call"},
	{pkg: "text/template", recv: "Template", names: "Execute ExecuteTemplate", says: "a template writes within Execute"},
	{pkg: "html/template", recv: "Template", names: "Execute ExecuteTemplate", says: "a template writes within Execute"},
	{pkg: "text/tabwriter", names: "NewWriter", alias: true, says: "a tabwriter.Writer writes within its methods"},
	{pkg: "compress/gzip", names: "NewWriter", alias: true, says: "a gzip.Writer writes within its methods"},
	{pkg: "bufio", names: "NewWriter NewWriterSize", alias: true, says: "a bufio.Writer writes within its methods"},
	{pkg: "go/format", names: "Node", says: "format.Node writes within the call"},
	{pkg: "go/printer", names: "Fprint", says: "printer.Fprint writes within the call"},
	{pkg: "image/png", names: "Encode", says: "png.Encode writes within the call"},
}

// contract returns what a function outside the module promises about an
// object that it is given, nil where that is not known.
func (o *object) contract(fn *types.Func) *contract {
	if o == nil || fn.Pkg() == nil {
		return nil
	}
	for i := range streams {
		c := &streams[i]
		if c.pkg == fn.Pkg().Path() && c.recv == receiverName(fn) && named(c.names, fn.Name()) {
			return c
		}
	}
	return nil
}

// method is what calling a method on the object does, or on something that
// holds it, such as a json.Encoder.
func (o *object) method(fn *types.Func) *summary {
	recv := fn.Signature().Recv().Type()
	own := isInterfaceMethod(fn) || fn.Pkg() != nil && fn.Pkg().Path() == o.pkg && receiverName(fn) == o.name
	switch {
	case own && named(o.methods, fn.Name()):
		return &summary{}
	case own && named(o.parts, fn.Name()):
		return &summary{results: 1}
	case !own && holdsStream(recv) && aliasing(fn.Signature().Results()) == "":
		return &summary{}
	}
	return &summary{keeps: "used through " + callName(fn)}
}

// holdsStream reports whether a type is what one of the streams makes.
func holdsStream(t types.Type) bool {
	ptr, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(ptr.Elem()).(*types.Named)
	return ok && n.Obj().Pkg() != nil && slices.ContainsFunc(streams, func(c contract) bool {
		return c.alias && c.pkg == n.Obj().Pkg().Path()
	})
}

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
		if o := &objects[i]; o.pkg == n.Obj().Pkg().Path() && o.name == n.Obj().Name() {
			return o
		}
	}
	return nil
}

// A making is how a variable's object is made.
type making struct {
	text string   // the expression for the pool's New
	on   ast.Expr // what it works on, nil if nothing
	size int64    // of its buffer, where the call says it
}

// making returns how e makes an object, nil if it does not make one that a
// pool could hold. A nil e is the zero value.
func (o *object) making(p *Program, fn *function, e ast.Expr) *making {
	qualifier := o.pkg[strings.LastIndexByte(o.pkg, '/')+1:]
	if e == nil {
		return zeroMaking(o.zero, qualifier+"."+o.name)
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return zeroMaking(o.zero && ok && len(lit.Elts) == 0, qualifier+"."+o.name)
	case *ast.CompositeLit:
		return zeroMaking(o.zero && len(e.Elts) == 0, qualifier+"."+o.name)
	case *ast.CallExpr:
		if builtin(fn.info(), e) == "new" {
			return zeroMaking(o.zero, qualifier+"."+o.name)
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
func (o *object) called(p *Program, fn *function, call *ast.CallExpr) *making {
	target := callee(fn.info(), call)
	if target == nil || target.Pkg() == nil {
		return nil
	}
	name := p.source(fn.file, call.Fun)
	if o.hash {
		if len(call.Args) == 0 && slices.Contains(hashMakers, target.Pkg().Path()+"."+target.Name()) {
			return &making{text: name + "()"}
		}
		return nil
	}
	if target.Pkg().Path() != o.pkg || !named(o.makers, target.Name()) || len(call.Args) == 0 {
		return nil
	}
	if o.zero {
		return zeroMaking(isNil(fn.info(), call.Args[0]), o.pkg+"."+o.name)
	}
	m := &making{text: name + "(nil)", on: call.Args[0], size: 4096}
	if target.Name() == o.sized {
		size, ok := constInt(fn.info(), call.Args[1])
		if !ok || !global(fn.info(), call.Args[1]) {
			return nil
		}
		m.text, m.size = name+"(nil, "+p.source(fn.file, call.Args[1])+")", size
	}
	return m
}
