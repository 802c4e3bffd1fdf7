package sizes

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A growing is a map or slice that a statement makes empty and that later
// statements of the same list add to.
type growing struct {
	counter
	typ   types.Type
	list  []ast.Stmt
	made  int      // index of the statement that makes it
	value ast.Expr // what it is made by; nil for var s []T
	typed ast.Expr // the type as it is written there
	group bool     // it is declared with others
}

// growingAt returns what the additions on a line add to, each once.
func growingAt(p *prove.Program, fn *prove.Function, line int) []*growing {
	var found []*growing
	for s := range code.All[ast.Stmt](fn.Decl.Body) {
		a, ok := counter{p: p, fn: fn}.addition(s)
		if !ok || !p.Covers(s, line) {
			continue
		}
		g := &growing{counter: counter{p, fn, a.to}, typ: fn.Info().TypeOf(a.to)}
		same := func(o *growing) bool { return code.SameVariable(fn.Info(), o.to, a.to) }
		if g.find(s) && !slices.ContainsFunc(found, same) {
			found = append(found, g)
		}
	}
	return found
}

// find looks for the statement that makes the container, before add in its
// own list or in one around it.
func (g *growing) find(add ast.Stmt) bool {
	root := code.RootIdent(g.to)
	if root == nil || !code.Local(code.Var(g.fn.Info(), root)) {
		return false
	}
	for child, up := ast.Node(add), g.fn.File.Parent(add); up != nil; child, up = up, g.fn.File.Parent(up) {
		switch up.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
		g.list = code.StmtList(up)
		i := slices.IndexFunc(g.list, func(s ast.Stmt) bool { return ast.Node(s) == child })
		for g.made = i - 1; g.made >= 0; g.made-- {
			if g.makes(g.list[g.made]) {
				return true
			}
			if g.sets(g.list[g.made]) {
				return false
			}
		}
	}
	return false
}

// makes reports whether a statement makes the container empty, and reads how.
func (g *growing) makes(s ast.Stmt) bool {
	info := g.fn.Info()
	switch s := s.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != len(s.Rhs) || s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
			return false
		}
		for i, l := range s.Lhs {
			if g.names(l) {
				return g.empty(s.Rhs[i])
			}
			if sel, ok := ast.Unparen(g.to).(*ast.SelectorExpr); ok && g.is(l, sel.X) {
				return g.empty(fieldValue(info, s.Rhs[i], info.Uses[sel.Sel]))
			}
		}
	case *ast.DeclStmt:
		gen := s.Decl.(*ast.GenDecl)
		for _, spec := range gen.Specs {
			vs, ok := spec.(*ast.ValueSpec)
			if !ok || len(vs.Names) != 1 || !g.names(vs.Names[0]) {
				continue
			}
			if g.group = len(gen.Specs) > 1 || gen.Lparen.IsValid(); len(vs.Values) == 1 {
				return g.empty(vs.Values[0])
			}
			_, slice := code.Core(g.typ).(*types.Slice)
			g.value, g.typed = nil, vs.Type
			return slice
		}
	}
	return false
}

func (g *growing) names(e ast.Expr) bool { return g.is(e, g.to) }

// is reports whether e, which may be a definition, names the variable or field x.
func (g *growing) is(e, x ast.Expr) bool {
	if id, ok := e.(*ast.Ident); ok && g.fn.Info().Defs[id] != nil {
		other, ok := ast.Unparen(x).(*ast.Ident)
		return ok && g.fn.Info().Uses[other] == g.fn.Info().Defs[id]
	}
	return code.SameVariable(g.fn.Info(), e, x)
}

// fieldValue returns the value of a field in T{…} or &T{…}, or nil.
func fieldValue(info *types.Info, e ast.Expr, field types.Object) ast.Expr {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && field != nil && info.Uses[id] == field {
				return kv.Value
			}
		}
	}
	return nil
}

// empty reports whether e makes an empty map or slice without a size.
func (g *growing) empty(e ast.Expr) bool {
	if e == nil {
		return false
	}
	g.value, g.typed = ast.Unparen(e), code.MadeEmpty(g.fn.Info(), e)
	return g.typed != nil
}

// sets reports whether a statement gives the container a value in a way that
// is no addition.
func (g *growing) sets(s ast.Stmt) bool {
	return code.Any(s, func(a *ast.AssignStmt) bool {
		_, adds := additionIn(g.fn.Info(), a)
		return slices.ContainsFunc(a.Lhs, func(l ast.Expr) bool {
			for sel, ok := ast.Unparen(g.to).(*ast.SelectorExpr); ok; sel, ok = ast.Unparen(sel.X).(*ast.SelectorExpr) {
				if g.is(l, sel.X) {
					return true
				}
			}
			return !adds && g.names(l)
		})
	})
}

// fills counts what the statements after the one that makes the container
// add. What the statement that covers add adds must be known; others that
// are not known are left out. The last result says why there is no count.
func (g *growing) fills(add ast.Node) (t total, first int, why *prove.Reason) {
	first = -1
	for i := g.made + 1; i < len(g.list); i++ {
		s := g.list[i]
		if g.sets(s) {
			break
		}
		one, unknown := g.stmt(s)
		switch {
		case unknown != nil && code.Within(s, add):
			return t, first, unknown
		case unknown != nil:
			one = total{fewer: ""}
		case one.fixed == 0 && len(one.parts) == 0:
			continue
		}
		if first < 0 {
			first = i
		}
		t.add(one)
	}
	return t, first, nil
}

// at reports whether the names in e mean the same before a statement, and have
// the same values there as before the later statement that uses them. The
// result says why not.
func (g *growing) at(e ast.Expr, from, to int) *prove.Reason {
	info, what := g.fn.Info(), types.ExprString(e)
	pos := g.list[from].Pos()
	scope := g.fn.Obj.Pkg().Scope().Innermost(pos)
	for id := range code.All[*ast.Ident](e) {
		obj := info.Uses[id]
		if sel, ok := g.fn.File.Parent(id).(*ast.SelectorExpr); ok && sel.Sel == id {
			continue
		}
		if scope == nil {
			return prove.Refuse(what + " may mean something else where it is made")
		} else if _, there := scope.LookupParent(id.Name, pos); there != obj {
			return prove.Refuse(what + " is not there yet where it is made")
		}
	}
	for _, s := range g.list[from:to] {
		if changes(info, s, e) {
			return prove.Refuse(what + " may change between the place where it is made and the one where it is filled")
		}
	}
	if why := g.waits(e, from, to); why != nil {
		return why
	}
	return g.safe(e, from, to)
}

// safe says why evaluating e earlier could panic where the program did not.
func (g *growing) safe(e ast.Expr, from, to int) *prove.Reason {
	if g.straight(from, to) {
		return nil
	}
	u := &prove.Purity{Prog: g.p, Fn: g.fn}
	var why *prove.Reason
	ast.Inspect(e, func(n ast.Node) bool {
		var through ast.Expr
		switch n := n.(type) {
		case *ast.StarExpr:
			through = n.X
		case *ast.SelectorExpr:
			s := g.fn.Info().Selections[n]
			if s == nil || s.Kind() != types.FieldVal {
				return true
			}
			if code.ThroughPointer(s) {
				why = prove.Refuse(types.ExprString(n) + " goes through an embedded pointer that may be nil")
			}
			if u.IsPointer(n.X) {
				through = n.X
			}
		case *ast.IndexExpr, *ast.SliceExpr, *ast.CallExpr:
			why = prove.Refuse(types.ExprString(e) + " may panic where it is made")
		}
		if through != nil {
			id, ok := ast.Unparen(through).(*ast.Ident)
			if !ok || !u.Stable(id) || !u.Passed(g.list[from], through) {
				why = prove.Refuse(types.ExprString(through) + " may be nil where it is made")
			}
		}
		return why == nil
	})
	return why
}

// straight reports whether nothing between two statements of the list can end
// the function, wait, or be noticed from outside: evaluating something there
// is the same as evaluating it after.
func (g *growing) straight(from, to int) bool {
	info := g.fn.Info()
	return !slices.ContainsFunc(g.list[from:to], func(s ast.Stmt) bool {
		return code.Any(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				b := code.Builtin(info, n)
				return !info.Types[n.Fun].IsType() && (b == "" || b == "panic") && !g.copies(n)
			case *ast.ReturnStmt, *ast.BranchStmt, *ast.GoStmt, *ast.DeferStmt, *ast.ForStmt:
				return true
			}
			return code.ByChannel(info, n)
		})
	})
}

func (g *growing) copies(call *ast.CallExpr) bool {
	fn := code.Callee(g.fn.Info(), call)
	return fn != nil && fn.Name() == "Copy" && fn.Pkg() != nil && fn.Pkg().Path() == "maps"
}
