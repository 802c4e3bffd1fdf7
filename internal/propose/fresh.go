package propose

import (
	"go/ast"
	"go/token"
	"go/types"
)

// freshReceiver reports whether all uses of an unexported method are calls on
// a local variable that holds a newly made value which nothing else refers to.
func (p *Program) freshReceiver(m *method) bool {
	if m.obj.Exported() || p.inInterface(m) {
		return false
	}
	calls, fresh := 0, true
	for _, f := range m.file.pkg.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if ok && f.pkg.TypesInfo.Uses[id] == m.obj {
				calls++
				fresh = fresh && p.freshCall(f, id)
			}
			return fresh
		})
	}
	return fresh && calls > 0
}

// inInterface reports whether an interface of the package has a method of
// this name.
func (p *Program) inInterface(m *method) bool {
	found := false
	for _, obj := range m.info().Defs {
		fn, ok := obj.(*types.Func)
		found = found || ok && fn.Name() == m.obj.Name() && isInterfaceMethod(fn)
	}
	return found
}

// freshCall reports whether name is the method in a call v.name() where v is a
// local variable, newly made, of which only fields have been used before.
func (p *Program) freshCall(f *file, name *ast.Ident) bool {
	info := f.pkg.TypesInfo
	sel, ok := f.parent(name).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	call, ok := f.parent(sel).(*ast.CallExpr)
	x, isIdent := ast.Unparen(sel.X).(*ast.Ident)
	if !ok || call.Fun != sel || !isIdent || f.literal(call) != nil {
		return false
	}
	if _, spawned := f.parent(call).(*ast.GoStmt); spawned {
		return false
	}
	fn := p.functionAt(p.pos(call.Pos()))
	v, _ := info.Uses[x].(*types.Var)
	if fn == nil || v == nil || assigned(info, fn.decl.Body, v) || !madeHere(info, fn.decl.Body, v) {
		return false
	}
	made, loop := (&flow{p: p, fn: fn}).definition(v), f.loop(call)
	if loop != nil && !within(loop, made) {
		return false
	}
	ok = true
	ast.Inspect(fn.decl.Body, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if isIdent && info.Uses[id] == v && id.Pos() < call.Pos() {
			s, isSel := f.parent(id).(*ast.SelectorExpr)
			ok = ok && isSel && info.Selections[s] != nil && info.Selections[s].Kind() == types.FieldVal && !addressed(f, s)
		}
		return ok
	})
	return ok
}

func addressed(f *file, e ast.Expr) bool {
	u, ok := f.parent(e).(*ast.UnaryExpr)
	return ok && u.Op == token.AND
}

// madeHere reports whether v is defined by v := &T{…} or v := new(T).
func madeHere(info *types.Info, body ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, l := range a.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok || info.Defs[id] != v {
				continue
			}
			switch r := a.Rhs[i].(type) {
			case *ast.UnaryExpr:
				_, lit := r.X.(*ast.CompositeLit)
				found = found || r.Op == token.AND && lit
			case *ast.CallExpr:
				found = found || builtin(info, r) == "new"
			}
		}
		return true
	})
	return found
}
