package prove

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
)

// A Local is a declaration that could become a field.
type Local struct {
	Method   *Method
	Var      *types.Var
	Stmt     ast.Stmt       // the declaration
	Spec     *ast.ValueSpec // in a group of declarations, else nil
	Name     *ast.Ident
	Array    *types.Array
	TypeText string
	Init     ast.Expr         // initial value of an array, or nil
	Made     *ast.CallExpr    // the make, for a slice
	Length   int64            // of the slice made
	Wide     *Dispatch        // how far it is followed; see Flow
	Copied   []*ast.SliceExpr // parts that become copies
}

// LocalsAt returns the declarations of the right shape that cover a line.
func (p *Module) LocalsAt(fn *Function, line int) []*Local {
	var found []*Local
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		if n == nil || !p.Covers(n, line) {
			return n == nil || code.Within(n, fn.Decl.Body)
		}
		switch n := n.(type) {
		case *ast.DeclStmt:
			gen, _ := n.Decl.(*ast.GenDecl)
			for _, s := range gen.Specs {
				spec, ok := s.(*ast.ValueSpec)
				if ok && gen.Tok == token.VAR && p.Covers(spec, line) && len(spec.Names) == 1 && len(spec.Values) <= 1 {
					l := &Local{Stmt: n, Name: spec.Names[0]}
					if len(gen.Specs) > 1 || gen.Lparen.IsValid() {
						l.Spec = spec
					}
					if len(spec.Values) == 1 {
						l.Init = spec.Values[0]
					}
					if p.shape(fn, l, spec.Type) {
						found = append(found, l)
					}
				}
			}
		case *ast.AssignStmt:
			id, ok := n.Lhs[0].(*ast.Ident)
			if ok && n.Tok == token.DEFINE && len(n.Lhs) == 1 && len(n.Rhs) == 1 {
				l := &Local{Stmt: n, Name: id, Init: n.Rhs[0]}
				if p.shape(fn, l, nil) {
					found = append(found, l)
				}
			}
		}
		return true
	})
	return found
}

// shape fills in what a declaration declares, and reports whether that is an
// array or a slice made with a constant size.
func (p *Module) shape(fn *Function, l *Local, typ ast.Expr) bool {
	info := fn.Info()
	v, ok := info.Defs[l.Name].(*types.Var)
	if !ok {
		return false
	}
	l.Var = v
	if arr, ok := v.Type().Underlying().(*types.Array); ok {
		l.Array, l.TypeText = arr, p.TypeText(fn, v.Type(), typ)
		return referenced(fn, v)
	}
	call, ok := l.Init.(*ast.CallExpr)
	slice, isSlice := v.Type().(*types.Slice)
	if !ok || !isSlice || code.Builtin(info, call) != "make" || len(call.Args) < 2 {
		return false
	}
	n, ok1 := ConstInt(info, call.Args[1])
	size, ok2 := ConstInt(info, call.Args[len(call.Args)-1])
	if !ok1 || !ok2 {
		return false
	}
	l.Made, l.Length, l.Array = call, n, types.NewArray(slice.Elem(), size)
	elem := p.TypeText(fn, slice.Elem(), call.Args[0].(*ast.ArrayType).Elt)
	sizeText := fmt.Sprint(size)
	if PackageLevel(info, call.Args[len(call.Args)-1]) {
		sizeText = p.Source(fn.File, call.Args[len(call.Args)-1])
	}
	l.TypeText = "[" + sizeText + "]" + elem
	return true
}

// TypeText writes a type the way the source does, unless that refers to names
// that only the function knows.
func (p *Module) TypeText(fn *Function, t types.Type, e ast.Expr) string {
	if e != nil && PackageLevel(fn.Info(), e) {
		if arr, ok := e.(*ast.ArrayType); !ok || arr.Len == nil || !isEllipsis(arr.Len) {
			return p.Source(fn.File, e)
		}
	}
	return types.TypeString(t, func(other *types.Package) string {
		if other == fn.Obj.Pkg() {
			return ""
		}
		return fn.File.nameOf(other)
	})
}

// nameOf returns what a file calls a package: nothing after import . of it, and its own name where the file does not import it.
func (f *File) nameOf(pkg *types.Package) string {
	for _, spec := range f.Syntax.Imports {
		name := f.Pkg.TypesInfo.PkgNameOf(spec)
		if name != nil && name.Name() != "_" && name.Imported().Path() == pkg.Path() {
			return strings.TrimPrefix(name.Name(), ".")
		}
	}
	return pkg.Name()
}

func isEllipsis(e ast.Expr) bool { _, ok := e.(*ast.Ellipsis); return ok }

// PackageLevel reports whether all names in e mean the same outside the function.
func PackageLevel(info *types.Info, e ast.Expr) bool {
	return !code.Any(e, func(id *ast.Ident) bool {
		obj := info.Uses[id]
		_, pkg := obj.(*types.PkgName)
		return obj != nil && !pkg && obj.Pkg() != nil && obj.Parent() != obj.Pkg().Scope() && !code.Declares(e, obj)
	})
}

// referenced reports whether an array variable is ever sliced or has its
// address taken or a method called: else it cannot be on the heap.
func referenced(fn *Function, v *types.Var) bool {
	return code.AddressTaken(fn.Info(), fn.Decl.Body, v) ||
		code.Any(fn.Decl.Body, func(lit *ast.FuncLit) bool { return !code.Declares(lit, v) && code.Mentions(fn.Info(), lit, v) })
}

// LargeField is the size in bytes from which a buffer is much to keep for each
// value of a struct: below it a field is simpler and cheaper than a pool.
const LargeField = 4 << 10

// Escapes reports whether the compiler's notes for a line, if there are any,
// speak of the variable or of a make.
func Escapes(t model.Target, at model.Pos, name string) bool {
	return OnHeap(t, at, func(n model.Note) bool {
		words := strings.FieldsFunc(n.Message, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		return slices.Contains(words, name) || slices.Contains(words, "make")
	})
}

// OnHeap reports whether the compiler's notes say that a value goes to the heap that is recognizes. Where none tell what
// does, it may. Only those for a line count if at names one.
func OnHeap(t model.Target, at model.Pos, is func(model.Note) bool) bool {
	known := false
	for _, n := range t.Notes {
		if n.Kind != model.NoteEscape || len(n.Chain) == 0 || at.Line > 0 && (n.At().File != at.File || n.At().Line != at.Line) {
			continue
		}
		known = true
		if is(n) {
			return true
		}
	}
	return !known
}

// Grouped checks that the declaration can leave its group: later ones must not
// refer to it.
func (l *Local) Grouped() *Reason {
	if code.Any(l.Stmt, func(id *ast.Ident) bool { return l.Method.Info().Uses[id] == l.Var }) {
		return Refuse("other declarations of its group refer to it")
	}
	if l.Init != nil {
		return Refuse("it has an initial value in a group of declarations")
	}
	return nil
}

// Follow traces the memory. whole lists the uses of the array as one value.
func (l *Local) Follow(p *Program) (fl *flow.Flow, whole []*ast.Ident, why *Reason) {
	if l.Init != nil && code.Any(l.Init, func(id *ast.Ident) bool { return id.Name == l.Name.Name }) {
		return nil, nil, Refuse("its initial value refers to another " + l.Name.Name)
	}
	fl = p.Flow(l.Method.Function)
	if l.Wide != nil {
		fl = l.Wide.Flow(l.Method.Function)
	}
	if l.Made != nil && len(l.Copied) == 0 {
		fl.Track(l.Var)
	} else if l.Made != nil {
		fl.Uses(l.Var, func(id *ast.Ident) {
			if !l.copied(id) {
				fl.Expr(id)
			}
		})
	} else {
		fl.Uses(l.Var, func(id *ast.Ident) {
			if l.use(fl, id) {
				whole = append(whole, id)
			}
		})
		for id := range code.All[*ast.Ident](l.Method.Decl.Body) { // uses leaves out assignments to it
			if l.Method.Info().Uses[id] == l.Var && fl.AssignedTo(id) {
				whole = append(whole, id)
			}
		}
	}
	fl.Drain()
	if why := p.Outlives(fl, l.Method.File, l.Stmt); why != nil {
		return nil, nil, why
	}
	return fl, whole, l.deferred()
}

// copied reports whether a use of the variable is to become a copy.
func (l *Local) copied(id *ast.Ident) bool {
	part, ok := l.Method.File.Parent(id).(*ast.SliceExpr)
	return ok && slices.Contains(l.Copied, part)
}

// use classifies a use of the array variable and reports whether it is one of
// the array as a whole.
func (l *Local) use(fl *flow.Flow, id *ast.Ident) bool {
	switch up := l.Method.File.Parent(id).(type) {
	case *ast.SliceExpr:
		if !l.copied(id) {
			fl.Expr(up)
		}
		return false
	case *ast.IndexExpr:
		if up.X == id {
			fl.Element(up)
			return false
		}
	case *ast.UnaryExpr:
		if up.Op == token.AND {
			fl.Leak(up, "used by its address")
			return false
		}
	case *ast.SelectorExpr:
		if l.Wide == nil || l.Wide.MethodKeeps(l.Method.Function, up) != nil {
			fl.Leak(up, "used through the method %s", up.Sel.Name)
		}
		return false
	case *ast.CallExpr:
		if b := code.Builtin(l.Method.Info(), up); b == "len" || b == "cap" {
			return false
		}
	case *ast.ParenExpr:
		fl.Leak(up, "used in parentheses, which pawl does not follow")
		return false
	}
	return true
}

// deferred checks that no call that a loop defers uses a variable of an iteration.
func (l *Local) deferred() *Reason {
	loop, info := l.Method.File.Loop(l.Stmt), l.Method.Info()
	if loop == nil {
		return nil
	}
	captured := code.Any(loop, func(lit *ast.FuncLit) bool { return !code.Declares(lit, l.Var) && code.Mentions(info, lit, l.Var) }) ||
		code.Any(loop, func(d *ast.DeferStmt) bool { return code.Mentions(info, d, l.Var) })
	if captured {
		return Refuse("a deferred call in a loop uses it")
	}
	return nil
}

// Overwritten reports whether the statement after the declaration certainly
// writes the whole array: binary.ByteOrder.PutUint64(x[:], v) for eight bytes.
func (l *Local) Overwritten(p *Program) bool {
	list := code.StmtList(l.Method.File.Parent(l.Stmt))
	for i, s := range list {
		if s != l.Stmt || i+1 >= len(list) {
			continue
		}
		next, ok := list[i+1].(*ast.ExprStmt)
		if !ok {
			return false
		}
		call, ok := next.X.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || code.Mentions(l.Method.Info(), call.Args[1], l.Var) {
			return false
		}
		sl, ok := call.Args[0].(*ast.SliceExpr)
		fn := code.Callee(l.Method.Info(), call)
		if !ok || sl.Low != nil || sl.High != nil || fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "encoding/binary" {
			return false
		}
		id, ok := sl.X.(*ast.Ident)
		sizes := map[string]int64{"PutUint16": 2, "PutUint32": 4, "PutUint64": 8}
		b, isByte := l.Array.Elem().Underlying().(*types.Basic)
		return ok && l.Method.Info().Uses[id] == l.Var && isByte && b.Kind() == types.Uint8 && sizes[fn.Name()] == l.Array.Len()
	}
	return false
}
