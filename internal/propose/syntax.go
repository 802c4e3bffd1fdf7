package propose

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pawl-dev/pawl/internal/model"
)

// parent returns the node that n is a direct child of, nil for the file.
func (f *file) parent(n ast.Node) ast.Node {
	if f.parents == nil {
		f.parents = map[ast.Node]ast.Node{}
		var stack []ast.Node
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			if len(stack) > 0 {
				f.parents[n] = stack[len(stack)-1]
			}
			stack = append(stack, n)
			return true
		})
	}
	return f.parents[n]
}

// covers reports whether line lies within n.
func (p *Program) covers(n ast.Node, line int) bool {
	return p.fset.PositionFor(n.Pos(), false).Line <= line && line <= p.fset.PositionFor(n.End(), false).Line
}

// functionAt returns the declared function that covers a place, or nil.
func (p *Program) functionAt(at model.Pos) *function {
	f := p.files[at.File]
	if f == nil {
		return nil
	}
	for _, d := range f.syntax.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil || !p.covers(decl, at.Line) {
			continue
		}
		if obj, ok := f.pkg.TypesInfo.Defs[decl.Name].(*types.Func); ok {
			return p.funcs[obj.FullName()]
		}
	}
	return nil
}

// A method is a method with a named pointer receiver of a struct type that is
// declared in the same package.
type method struct {
	*function
	recv  *types.Var
	named *types.Named
	str   *types.Struct
	spec  *ast.TypeSpec
	shape *ast.StructType
	home  *file // where the struct is declared
}

// methodOf returns fn as a method, or a sentence that says why it is none that
// can carry a field.
func (p *Program) methodOf(fn *function) (*method, string) {
	if fn.decl.Recv == nil {
		return nil, fn.obj.Name() + " is a function, not a method: there is no receiver to keep storage in"
	}
	sig := fn.obj.Signature()
	ptr, ok := sig.Recv().Type().(*types.Pointer)
	if !ok {
		return nil, fn.obj.Name() + " has a value receiver: what it keeps there is lost"
	}
	named, ok := types.Unalias(ptr.Elem()).(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return nil, "the receiver's type is generic"
	}
	str, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil, "the receiver is no pointer to a struct"
	}
	names := fn.decl.Recv.List[0].Names
	if len(names) == 0 || names[0].Name == "_" {
		return nil, fn.obj.Name() + " does not name its receiver"
	}
	recv, _ := fn.info().Defs[names[0]].(*types.Var)
	m := &method{function: fn, recv: recv, named: named, str: str}
	m.home, m.spec = p.typeSpec(fn.file.pkg, named)
	if m.spec == nil {
		return nil, "the declaration of " + named.Obj().Name() + " was not found"
	}
	if m.shape, ok = m.spec.Type.(*ast.StructType); !ok {
		return nil, named.Obj().Name() + " is not declared as a struct"
	}
	if why := editable(m.home); why != "" {
		return nil, why
	}
	return m, editable(fn.file)
}

func (p *Program) typeSpec(k *pkg, named *types.Named) (*file, *ast.TypeSpec) {
	for _, f := range k.files {
		for _, d := range f.syntax.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, s := range gen.Specs {
				if ts := s.(*ast.TypeSpec); k.TypesInfo.Defs[ts.Name] == named.Obj() {
					return f, ts
				}
			}
		}
	}
	return nil, nil
}

// editable says why a file must not be edited, "" if it may be.
func editable(f *file) string {
	switch {
	case f.test:
		return f.name + " is a test file: tests are not edited"
	case f.pkg.cgo:
		return "package " + f.pkg.Name + " uses cgo"
	case ast.IsGenerated(f.syntax):
		return f.name + " is generated: change its generator instead"
	}
	return ""
}

// rootIdent returns the identifier that a chain of selectors, indices,
// slices, parentheses and dereferences starts with, or nil.
func rootIdent(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// isNil reports whether e is the predeclared nil, possibly converted.
func isNil(info *types.Info, e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() {
		return isNil(info, call.Args[0])
	}
	return info.Types[e].IsNil()
}

// stmtList returns the statements that a node holds directly.
func stmtList(n ast.Node) []ast.Stmt {
	switch b := n.(type) {
	case *ast.BlockStmt:
		return b.List
	case *ast.CaseClause:
		return b.Body
	case *ast.CommClause:
		return b.Body
	}
	return nil
}

// assigned reports whether v is written after its declaration anywhere in
// body, or its address is taken, be it by calling a method with a pointer
// receiver on it.
func assigned(info *types.Info, body ast.Node, v types.Object) bool {
	found := false
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.Uses[id] == v
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || is(l)
			}
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.RangeStmt:
			found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		case *ast.SelectorExpr:
			found = found || is(n.X) && addressing(info, n)
		}
		return !found
	})
	return found
}

// addressing reports whether x.m takes the address of the variable x: m has a
// pointer receiver, and x is no pointer.
func addressing(info *types.Info, sel *ast.SelectorExpr) bool {
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || throughPointer(s) || types.IsInterface(s.Recv()) {
		return false
	}
	_, ptr := s.Recv().Underlying().(*types.Pointer)
	return !ptr && pointerReceiver(s)
}

// literal returns the innermost function literal around n, or nil.
func (f *file) literal(n ast.Node) *ast.FuncLit {
	for n = f.parent(n); n != nil; n = f.parent(n) {
		if lit, ok := n.(*ast.FuncLit); ok {
			return lit
		}
	}
	return nil
}

// inPlace reports whether a function literal runs within the function around
// it: it is called where it stands, or deferred.
func (f *file) inPlace(lit *ast.FuncLit) bool {
	call, ok := f.parent(lit).(*ast.CallExpr)
	if !ok || call.Fun != lit {
		return false
	}
	_, spawned := f.parent(call).(*ast.GoStmt)
	return !spawned
}

// loop returns the innermost loop body around n within its function, or nil.
func (f *file) loop(n ast.Node) *ast.BlockStmt {
	for child := n; child != nil; child = n {
		n = f.parent(child)
		switch up := n.(type) {
		case *ast.ForStmt:
			if up.Body == child {
				return up.Body
			}
		case *ast.RangeStmt:
			if up.Body == child {
				return up.Body
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return nil
		}
	}
	return nil
}

func within(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}
