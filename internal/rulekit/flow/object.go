package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// An Object is a type of the standard library, and what is known of its methods.
type Object struct {
	Pkg, Name string
	Methods   string // they neither keep the receiver nor hand out its memory
	Parts     string // their result is a part of its memory
	Writes    bool   // of functions that work on streams, those alone that call nothing but Write and WriteString
}

const (
	ioWithin     = "package io's functions work on readers and writers within the call"
	binaryWithin = "binary.Read and binary.Write work within the call"
	jsonWithin   = "json.Encoder and json.Decoder work within their methods"
	xmlWithin    = "xml.Encoder and xml.Decoder work within their methods"
	gobWithin    = "gob.Encoder and gob.Decoder work within their methods"
	csvWithin    = "csv.Writer and csv.Reader work within their methods"
	gzipWithin   = "gzip.Writer and gzip.Reader work within their methods"
)

// streams are functions that work on a writer or reader within the call, and
// those whose result refers to it.
var streams = []Contract{
	{pkg: "io", names: "WriteString", writes: true, Says: ioWithin},
	{pkg: "io", names: "Copy CopyN CopyBuffer ReadAll ReadFull ReadAtLeast", Says: ioWithin},
	{pkg: "encoding/binary", names: "Write", writes: true, Says: binaryWithin},
	{pkg: "encoding/binary", names: "Read", Says: binaryWithin},
	{pkg: "encoding/json", names: "Indent Compact HTMLEscape", Says: "encoding/json appends to dst within the call"},
	{pkg: "encoding/json", names: "NewEncoder", Alias: true, writes: true, Says: jsonWithin},
	{pkg: "encoding/json", names: "NewDecoder", Alias: true, Says: jsonWithin},
	{pkg: "encoding/xml", names: "Escape EscapeText", writes: true, Says: "encoding/xml writes within the call"},
	{pkg: "encoding/xml", names: "NewEncoder", Alias: true, writes: true, Says: xmlWithin},
	{pkg: "encoding/xml", names: "NewDecoder", Alias: true, Says: xmlWithin},
	{pkg: "encoding/gob", names: "NewEncoder", Alias: true, writes: true, Says: gobWithin},
	{pkg: "encoding/gob", names: "NewDecoder", Alias: true, Says: gobWithin},
	{pkg: "encoding/csv", names: "NewWriter", Alias: true, writes: true, Says: csvWithin},
	{pkg: "encoding/csv", names: "NewReader", Alias: true, Says: csvWithin},
	{pkg: "encoding/pem", names: "Encode", writes: true, Says: "pem.Encode writes within the call"},
	{pkg: "text/template", recv: "Template", names: "Execute ExecuteTemplate", writes: true, Says: "a template writes within Execute"},
	{pkg: "html/template", recv: "Template", names: "Execute ExecuteTemplate", writes: true, Says: "a template writes within Execute"},
	{pkg: "text/tabwriter", names: "NewWriter", Alias: true, writes: true, Says: "a tabwriter.Writer writes within its methods"},
	{pkg: "compress/gzip", names: "NewWriter NewWriterLevel", Alias: true, writes: true, Says: gzipWithin},
	{pkg: "compress/gzip", names: "NewReader", Alias: true, Says: gzipWithin},
	{pkg: "bufio", names: "NewWriter NewWriterSize", Alias: true, Says: "a bufio.Writer writes within its methods"},
	{pkg: "bufio", names: "NewReader NewReaderSize NewScanner", Alias: true, Says: "bufio.Reader and bufio.Scanner read within their methods"},
	{pkg: "go/format", names: "Node", writes: true, Says: "format.Node writes within the call"},
	{pkg: "go/printer", names: "Fprint", writes: true, Says: "printer.Fprint writes within the call"},
	{pkg: "image/png", names: "Encode", writes: true, Says: "png.Encode writes within the call"},
}

// Buffer is bytes.Buffer, without what shows its capacity.
var Buffer = Object{Pkg: "bytes", Name: "Buffer",
	Methods: "Write WriteString WriteByte WriteRune WriteTo ReadFrom Read ReadByte ReadRune ReadBytes ReadString UnreadByte UnreadRune Len String Reset Truncate Grow",
	Parts:   "Bytes Next"}

// Written is a bytes.Buffer to which something is only written. Where that is nothing, it has no memory, and its bytes are nil:
// neither Grow nor ReadFrom has made room, and nothing is taken away again.
var Written = Object{Pkg: "bytes", Name: "Buffer", Methods: "Write WriteString WriteByte WriteRune Len String", Parts: "Bytes", Writes: true}

// Source is what is known of calls that are given the object: of its methods, of the
// functions that work on streams, and of all others what known says. A nil object has
// no methods.
func (o *Object) Source(known func(fn *types.Func, index int, element bool) *Summary) func(fn *types.Func, index int, element bool) *Summary {
	if o == nil {
		return known
	}
	return func(fn *types.Func, index int, element bool) *Summary {
		if index < 0 {
			return o.method(fn)
		}
		if fn.Pkg() != nil {
			if c := among(streams, fn); c != nil && (c.recv == "" || index == 0) { // a template may call methods of its data
				if o.Writes && !c.writes {
					return &Summary{Keeps: "passed to " + code.CallName(fn) + ", which does more than to write"}
				}
				s := &Summary{Assumed: []string{c.Says}}
				if c.Alias {
					s.Results = 1
				}
				return s
			}
		}
		return known(fn, index, element)
	}
}

// Value classifies a use of a variable that is an object, and no pointer to one. It
// returns the expression that takes its address there, if one does.
func (fl *Flow) Value(id *ast.Ident) *ast.UnaryExpr {
	switch up := fl.Parent(id).(type) {
	case *ast.UnaryExpr:
		if up.Op == token.AND {
			fl.Expr(up)
			return up
		}
	case *ast.SelectorExpr:
		fl.selector(up)
		return nil
	}
	fl.Leak(id, "copied")
	return nil
}

// method is what calling a method on the object does, or on something that
// holds it, such as a json.Encoder.
func (o *Object) method(fn *types.Func) *Summary {
	recv := fn.Signature().Recv().Type()
	own := code.IsInterfaceMethod(fn) || fn.Pkg() != nil && fn.Pkg().Path() == o.Pkg && code.ReceiverName(fn) == o.Name
	switch {
	case own && NameMatches(o.Methods, fn.Name()):
		return &Summary{}
	case own && NameMatches(o.Parts, fn.Name()):
		return &Summary{Results: 1}
	case !own && HoldsStream(recv) && Aliasing(fn.Signature().Results()) == "":
		return &Summary{}
	}
	return &Summary{Keeps: "used through " + code.CallName(fn)}
}

// HoldsStream reports whether a type is what one of the streams makes.
func HoldsStream(t types.Type) bool {
	ptr, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(ptr.Elem()).(*types.Named)
	return ok && n.Obj().Pkg() != nil && slices.ContainsFunc(streams, func(c Contract) bool {
		return c.Alias && c.pkg == n.Obj().Pkg().Path()
	})
}

// callers are functions of the standard library that call a function they are
// given before they return, and do not keep it.
var callers = []Contract{
	{pkg: "sort", names: "Slice SliceStable SliceIsSorted Search Find"},
	{pkg: "slices", names: "SortFunc SortStableFunc IndexFunc ContainsFunc DeleteFunc BinarySearchFunc EqualFunc CompareFunc MaxFunc MinFunc"},
	{pkg: "strings", names: "Map FieldsFunc IndexFunc LastIndexFunc ContainsFunc TrimFunc TrimLeftFunc TrimRightFunc"},
	{pkg: "bytes", names: "Map FieldsFunc IndexFunc LastIndexFunc ContainsFunc TrimFunc TrimLeftFunc TrimRightFunc"},
	{pkg: "sync", recv: "Once", names: "Do"},
	{pkg: "sync", recv: "Map", names: "Range"},
}

// AtOnce reports whether a function literal runs only while the call runs that it is an argument of, as that
// is a call of one of these.
func (fn *Func) AtOnce(lit *ast.FuncLit) bool {
	call, ok := fn.Parent(lit).(*ast.CallExpr)
	if !ok || fn.Spawned(call) {
		return false
	}
	target := code.Callee(fn.Info, call)
	return target != nil && target.Pkg() != nil && slices.Contains(call.Args, ast.Expr(lit)) && CallsNow(target)
}

// CallsNow reports whether fn is one of these.
func CallsNow(fn *types.Func) bool { return among(callers, fn) != nil }

func among(contracts []Contract, fn *types.Func) *Contract {
	for i := range contracts {
		c := &contracts[i]
		if c.pkg == fn.Pkg().Path() && c.recv == code.ReceiverName(fn) && NameMatches(c.names, fn.Name()) {
			return c
		}
	}
	return nil
}

// Aliasing returns the first type of a result that could refer to an
// argument; errors are taken to be about it, not to hold it.
func Aliasing(results *types.Tuple) string {
	for v := range results.Variables() {
		b, basic := v.Type().Underlying().(*types.Basic)
		if code.IsError(v.Type()) || basic && b.Kind() != types.UnsafePointer {
			continue
		}
		if code.HasPointers(v.Type()) {
			return types.TypeString(v.Type(), (*types.Package).Name)
		}
	}
	return ""
}
