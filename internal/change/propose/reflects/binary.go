package reflects

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Binary moves the bytes of numbers and structs without reflection.
var Binary = prove.Transformation{
	Name:     "binary-to-code",
	Doc:      "binary.Read or binary.Write of a struct or array, or of several numbers, becomes a call of a function that moves the bytes: no reflection, and one small buffer for the numbers. What is read from memory needs none on the heap.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "binary-to-code", "BenchmarkCopy", "allocs", "one buffer for the numbers of a frame, and its head without reflection", 0),
	// It looks at the functions that call binary.Read or Write on the target's line or
	// on those of the module's frames. All of their calls change together.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		all := transfersIn(s.Program, s.Fn)
		for _, t := range all {
			if s.Covers(t.call, s.At.Line) {
				ch, why := proposeBinary(s.Program, s.Fn, all, t)
				s.Add(prove.Short(types.ExprString(t.call))+" finds out each time what it has to do", ch, why)
				return
			}
		}
	}),
}

// A transfer is a call of binary.Read or binary.Write.
type transfer struct {
	p     *prove.Program
	fn    *prove.Function
	call  *ast.CallExpr
	write bool
	typ   types.Type // of the value
	value string     // what the function gets for it
	order byteOrder
	via   bool // it uses a buffer that the caller has
	ptr   bool // the function gets a pointer that may be nil
}

// A byteOrder is known, or comes at run time.
type byteOrder struct{ name, suffix string }

var byteOrders = map[string]byteOrder{
	"bigEndian":    {"BigEndian", "BE"},
	"littleEndian": {"LittleEndian", "LE"},
	"nativeEndian": {"NativeEndian", "Native"},
}

// transfersIn returns the calls of a function, in their order.
func transfersIn(p *prove.Program, fn *prove.Function) []*transfer {
	var all []*transfer
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		target := code.Callee(fn.Info(), call)
		if target == nil || len(call.Args) != 3 {
			continue
		}
		switch target.FullName() {
		case "encoding/binary.Read", "encoding/binary.Write":
			t := &transfer{p: p, fn: fn, call: call, write: target.Name() == "Write"}
			if named, ok := types.Unalias(fn.Info().TypeOf(call.Args[1])).(*types.Named); ok && named.Obj().Pkg() == target.Pkg() {
				t.order = byteOrders[named.Obj().Name()]
			}
			all = append(all, t)
		}
	}
	return all
}

// read works out what is moved, or why that is not known.
func (t *transfer) read() *prove.Reason {
	f, info, data := t.fn.File, t.fn.Info(), ast.Unparen(t.call.Args[2])
	if f.Commented(t.call) {
		return prove.Refuse("there is a comment within the call")
	}
	t.value, t.typ = t.p.Source(f, data), info.TypeOf(data)
	ptr, pointer := types.Unalias(t.typ).(*types.Pointer)
	if pointer {
		t.typ = ptr.Elem()
	}
	addr, taken := data.(*ast.UnaryExpr)
	taken = taken && addr.Op == token.AND
	_, number := types.Unalias(t.typ).(*types.Basic)
	switch {
	case types.IsInterface(t.typ):
		return prove.Refuse("what is in " + t.value + " is known at run time only")
	case pointer && !taken && !number && t.basic() != "":
		return prove.Refuse(t.value + " may be nil, which reflection makes an error of")
	case !t.write && !pointer:
		return prove.Refuse(t.value + " is no pointer")
	case pointer && !taken && !number:
		t.ptr = true
	case t.write && taken:
		t.value = t.p.Source(f, addr.X)
	case t.write && pointer:
		t.value = "*" + t.value
	}
	if name := t.basic(); name != "" && types.Unalias(t.typ) != t.typ.Underlying() {
		if t.write {
			t.value = name + "(" + t.value + ")"
		} else {
			t.value = "(*" + name + ")(" + t.value + ")"
		}
	}
	if !t.known() {
		if t.order = (byteOrder{}); !t.orders() {
			return prove.Refuse("the byte order is computed")
		}
	}
	return nil
}

// known reports whether the byte order is a variable: nothing is lost where it is not evaluated.
func (t *transfer) known() bool {
	switch x := ast.Unparen(t.call.Args[1]).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return prove.PackageLevel(t.fn.Info(), x)
	}
	return false
}

// basic names the type of a number, "" for other types.
func (t *transfer) basic() string {
	if b, ok := t.typ.Underlying().(*types.Basic); ok {
		return b.Name()
	}
	return ""
}

// memory returns the type of a reader or writer that keeps no hold on the buffer, as the
// compiler sees: the buffer stays on the stack then.
func (t *transfer) memory() string {
	if t.order.name == "" && t.orders() {
		return "" // the byte order is an interface, which takes it to the heap
	}
	of := t.fn.Info().TypeOf(t.call.Args[0])
	names := [][2]string{{"bytes", "Reader"}, {"strings", "Reader"}, {"bytes", "Buffer"}}
	if t.write {
		names = [][2]string{{"bytes", "Buffer"}, {"strings", "Builder"}}
	}
	if _, pointer := types.Unalias(of).(*types.Pointer); !pointer {
		return ""
	}
	for _, n := range names {
		if code.IsNamed(of, n[0], n[1]) {
			return n[0] + "." + n[1]
		}
	}
	return ""
}

// left reports whether rule binaryscalar does it: it appends to the buffer itself.
func (t *transfer) left() bool {
	of := t.fn.Info().TypeOf(t.call.Args[0])
	return t.write && t.basic() != "" && t.order.name != "" && (code.IsNamed(of, "bytes", "Buffer") || code.IsNamed(of, "bufio", "Writer"))
}

func proposeBinary(p *prove.Program, fn *prove.Function, all []*transfer, aim *transfer) (*model.Change, *prove.Reason) {
	if !code.Predeclared(fn.Obj.Pkg(), fn.Decl.End(), "error", "byte", "copy", "nil", "len", "bool", "float64", "float32",
		"uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64") {
		return nil, prove.Refuse("the package has a type or function of its own that is called like one of the language")
	}
	var fit []*transfer
	for _, t := range all {
		why := t.read()
		if why == nil && t.left() {
			why = prove.Refuse("rule binaryscalar appends the number to the buffer itself")
		}
		if why == nil {
			_, why = t.code("", func(path string) string { return path })
		}
		if why == nil {
			fit = append(fit, t)
		} else if t == aim {
			return nil, why
		}
	}
	groups, fit, single := share(fn, fit)
	if slices.Contains(single, aim) {
		return nil, prove.Refuse("it is one number, for which a buffer is made as well")
	}
	for _, g := range groups {
		fit = append(fit, g.calls...)
	}
	if few := aim.nearest(fit); len(few) < len(fit) {
		return proposeBinary(p, fn, few, aim)
	}
	w := &binaryWriter{p: p, fn: fn}
	if why := w.buffers(groups); why != nil {
		return nil, why
	}
	if why := w.write(fit); why != nil {
		return nil, why
	}
	return p.Change(fn, w.edits, model.Change{
		Kind:  "binary-to-code",
		Title: fmt.Sprintf("%s: %s without reflection in %s", fn.File.Pkg.Name, verbs(fit), fn.Obj.Name()), Obligations: obliged(len(groups) > 0),
	})
}

// mostNouns is how many types a change is about: more of them are several changes.
const mostNouns = 6

// nearest returns the calls that change together with one: all if they are of few types, else
// those of its type, and numbers if it is one.
func (t *transfer) nearest(all []*transfer) (few []*transfer) {
	nouns := map[string]bool{}
	for _, o := range all {
		nouns[o.noun()] = true
		if o.noun() == t.noun() || o.via && t.via {
			few = append(few, o)
		}
	}
	if len(nouns) <= mostNouns {
		return all
	}
	return few
}

// verbs says what the calls do.
func verbs(all []*transfer) string {
	reads := slices.ContainsFunc(all, func(t *transfer) bool { return !t.write })
	writes := slices.ContainsFunc(all, func(t *transfer) bool { return t.write })
	var nouns []string
	for _, t := range all {
		if n := t.noun(); !slices.Contains(nouns, n) {
			nouns = append(nouns, n)
		}
	}
	of := strings.Join(nouns, ", ")
	if len(nouns) > 3 {
		of = fmt.Sprint(len(all), " values")
	}
	switch {
	case !reads:
		return "write " + of
	case !writes:
		return "read " + of
	}
	return "read and write " + of
}

// noun names what is moved.
func (t *transfer) noun() string {
	if name := t.basic(); name != "" {
		return name
	}
	if named, ok := types.Unalias(t.typ).(*types.Named); ok {
		return named.Obj().Name()
	}
	if a, ok := t.typ.Underlying().(*types.Array); ok && types.Identical(a.Elem(), types.Typ[types.Uint8]) {
		return fmt.Sprint("bytes", a.Len())
	}
	return ""
}
