package detours

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// ReadFull reads from a reader of a known type without an interface.
var ReadFull = prove.Transformation{
	Name:     "concrete-read",
	Doc:      "io.ReadFull of a *bytes.Reader, *bytes.Buffer, *strings.Reader or *bufio.Reader becomes a function for that type, so that the reader need not be on the heap.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "concrete-read", "BenchmarkParse", "allocs", "the reader stays on the stack", 0),
	// It looks at the calls on the lines of the target and of the flow to the heap, at those with a reader that such a
	// line defines, and into the functions that are called.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for call := range code.All[*ast.CallExpr](s.Fn.Decl.Body) {
			if !s.Covers(call, s.At.Line) && !takesReaderOf(s, call) {
				continue
			}
			if fn, of := readAt(s.Program, s.Fn, call, maxReadDepth); of != nil {
				c, why := proposeReadFull(s.Program, fn, of)
				s.Add(prove.Short(types.ExprString(call))+" takes its reader as an interface", c, why)
			}
		}
	}),
}

// takesReaderOf reports whether a call has an argument that is a reader which the target's line declares.
func takesReaderOf(s *prove.Site, call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(x ast.Expr) bool {
		if addr, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && addr.Op == token.AND {
			x = addr.X
		}
		v := code.Var(s.Fn.Info(), x)
		return code.Local(v) && s.Pos(v.Pos()).Line == s.At.Line
	})
}

// maxReadDepth is how many calls deep a reader is followed.
const maxReadDepth = 3

// readAt returns the function that calls io.ReadFull, and the type that it reads from: the one that the call is in, or one that is
// called with a reader of that type.
func readAt(p *prove.Program, fn *prove.Function, call *ast.CallExpr, depth int) (*prove.Function, *types.TypeName) {
	if of := readerOf(fn.Info(), call); of != nil || depth == 0 {
		return fn, of
	}
	target := code.Callee(fn.Info(), call)
	if target == nil || !p.InModule(target) || !slices.ContainsFunc(call.Args, func(x ast.Expr) bool { return readerType(fn.Info(), x) != nil }) {
		return nil, nil
	}
	callee := p.Function(target)
	if callee == nil || callee == fn {
		return nil, nil
	}
	for inner := range code.All[*ast.CallExpr](callee.Decl.Body) {
		if found, of := readAt(p, callee, inner, depth-1); of != nil {
			return found, of
		}
	}
	return nil, nil
}

// readerOf returns the type whose pointer io.ReadFull reads from; nil for others.
func readerOf(info *types.Info, call *ast.CallExpr) *types.TypeName {
	if !code.IsFunc(info, call, "io", "ReadFull") || len(call.Args) != 2 {
		return nil
	}
	return readerType(info, call.Args[0])
}

// readerType returns the type that an expression is a pointer to, if it is one of those that are known.
func readerType(info *types.Info, x ast.Expr) *types.TypeName {
	for _, t := range [][2]string{{"bytes", "Reader"}, {"bytes", "Buffer"}, {"strings", "Reader"}, {"bufio", "Reader"}} {
		if ptr, ok := info.TypeOf(x).(*types.Pointer); ok && code.IsNamed(ptr, t[0], t[1]) {
			return types.Unalias(ptr.Elem()).(*types.Named).Obj()
		}
	}
	return nil
}

// readFullOf is io.ReadFull for one type.
const readFullOf = `// %[1]s is %[3]s.ReadFull of a %[2]s, which need not be on the heap for it.
func %[1]s(r *%[2]s, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	if n == len(buf) {
		return n, nil
	}
	if n > 0 && err == %[3]s.EOF {
		err = %[3]s.ErrUnexpectedEOF
	}
	return n, err
}
`

func proposeReadFull(p *prove.Program, fn *prove.Function, of *types.TypeName) (*model.Change, *prove.Reason) {
	f, end := fn.File, fn.Decl.End()
	pkg, ioName := p.Qualifier(f, end, of.Pkg().Path()), p.Qualifier(f, end, "io")
	if pkg == "" || ioName == "" || !code.Predeclared(fn.Obj.Pkg(), end, "byte", "int", "error", "len", "nil") {
		return nil, prove.Refuse("a name that is needed means something else there")
	}
	name := ""
	text := p.Declare(f, func(i int) (string, []string) {
		name = prove.Numbered("readFull", i)
		return fmt.Sprintf(readFullOf, name, pkg+"."+of.Name(), ioName), []string{name}
	})
	var edits []model.Edit
	for _, file := range f.Pkg.Files {
		if prove.Editable(file) != nil {
			continue
		}
		var gone []ast.Node
		for call := range code.All[*ast.CallExpr](file.Syntax) {
			if readerOf(fn.Info(), call) != of {
				continue
			}
			gone = append(gone, call.Fun)
			edits = append(edits, p.Put(file, call.Fun.Pos(), call.Fun.End(), name))
		}
		if len(gone) == 0 {
			continue
		}
		var paths []string
		old := "io"
		if file == f && text != "" {
			paths, old = []string{of.Pkg().Path()}, ""
		}
		imports, ok := p.Reimport(file, gone[0].Pos(), paths, old, gone...)
		if !ok {
			return nil, prove.Refuse("the imports of " + file.Name + " cannot be changed")
		}
		edits = append(edits, imports...)
	}
	if text != "" {
		edits = append(edits, p.Below(fn, text))
	}
	return p.Change(fn, edits, model.Change{
		Kind:  "concrete-read",
		Title: fmt.Sprintf("%s: read from a *%s.%s without an interface in %s", f.Pkg.Name, of.Pkg().Name(), of.Name(), fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: name + " reads and returns the same", How: "proven", Why: "it asks the reader as io.ReadFull does, in the same order, and has its errors"},
		},
	})
}
