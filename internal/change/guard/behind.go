package guard

import (
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// behind reports what is written by way of a local variable.
func (w *writer) behind(o types.Object, at ast.Node) {
	if !shares(o.Type()) {
		return
	}
	w.passed[o] = true
	from := w.same[o]
	w.same[o] = nil // one may be given to the other in turn
	for _, e := range from {
		w.memory(e, at)
	}
	w.same[o] = from
}

// shares reports whether values of a type have memory together: what is written by way of one is seen by way of another. Of a
// struct that a pointer is to, the fields count themselves.
func shares(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	case *types.Pointer:
		return !code.May[*types.Struct](t.Elem())
	}
	return false
}

// aliases returns what local variables are given that may have memory together with it.
func aliases(info *types.Info, root ast.Node) map[types.Object][]ast.Expr {
	same := make(map[types.Object][]ast.Expr)
	give := func(to, e ast.Expr) {
		id, ok := to.(*ast.Ident)
		if ok && isLocalUse(info, id) && info.ObjectOf(id) != nil && shares(info.ObjectOf(id).Type()) && code.RootIdent(e) != nil {
			same[info.ObjectOf(id)] = append(same[info.ObjectOf(id)], e)
		}
	}
	for n := range code.All[ast.Node](root) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				give(l, n.Rhs[min(i, len(n.Rhs)-1)]) // of several, m, ok := x.maps[k]
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) > 0 {
					give(id, n.Values[min(i, len(n.Values)-1)])
				}
			}
		case *ast.RangeStmt:
			if n.Value != nil {
				give(n.Value, n.X)
			}
		}
	}
	return same
}

// arguments reports what a function of the module writes by way of its arguments, or of a receiver.
func (w *writer) arguments(c *ast.CallExpr) {
	u := w.p.decls[calleeName(w.info, c)]
	if u == nil || u.fn == nil {
		return
	}
	args := c.Args
	var params []*ast.Ident
	if u.fn.Recv != nil {
		sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
		if !ok || w.info.Selections[sel] == nil || w.info.Selections[sel].Kind() != types.MethodVal {
			return
		}
		args, params = append([]ast.Expr{sel.X}, args...), append(params, nameOf(u.fn.Recv.List[0]))
	}
	for _, f := range u.fn.Type.Params.List {
		params = append(params, nameOf(f))
		params = append(params, f.Names[min(1, len(f.Names)):]...)
	}
	passed := w.p.passedBy(u)
	for i, id := range params[:min(len(params), len(args))] {
		if id != nil && passed[u.info().Defs[id]] {
			w.memory(args[i], c)
		}
	}
}

// nameOf is the first name of a parameter, or nil.
func nameOf(f *ast.Field) *ast.Ident {
	if len(f.Names) == 0 {
		return nil
	}
	return f.Names[0]
}

// passedBy returns the variables by which a function writes memory, parameters among them.
func (p *program) passedBy(u *unit) map[types.Object]bool {
	passed, known := p.passed[u]
	if !known {
		passed = make(map[types.Object]bool)
		p.passed[u] = passed // for those that call themselves
		w := &writer{p: p, info: u.info(), report: func(types.Object, ast.Node) {}, own: ownLocals(u.info(), u.fn), same: aliases(u.info(), u.fn), passed: passed}
		w.walk(u.fn)
	}
	return passed
}
