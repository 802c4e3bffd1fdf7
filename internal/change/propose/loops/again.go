package loops

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

// Again keeps what a function that only computes has returned.
var Again = prove.Transformation{
	Name: "repeated-call",
	Doc: "A function that only computes, such as strings.ToUpper, is called again with the same arguments, as in " +
		"if known[strings.ToUpper(s)] { return strings.ToUpper(s) }. What it returned is kept in a variable.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "repeated-call", "BenchmarkName", "allocs", "half of the calls, and of the texts that they make", 0),
	// It looks at calls as hoist-invariant does.
	Propose: prove.At(prove.Frames, func(s *prove.Site) {
		for _, call := range computationsAt(s.Program, s.Fn, s.At.Line) {
			c, why := proposeAgain(s.Program, s.Fn, call)
			s.Add(prove.Short(types.ExprString(call))+" is called more than once", c, why)
		}
	}),
}

// A repeated call is the first of several, and those whose result is known from it.
type repeated struct {
	fn    *prove.Function
	first *ast.CallExpr
	at    ast.Stmt // that evaluates the first whenever it runs
	again []*ast.CallExpr
}

func proposeAgain(p *prove.Program, fn *prove.Function, call *ast.CallExpr) (*model.Change, *prove.Reason) {
	vars := operands(fn, call)
	all := alike(p, fn, fn.Decl.Body, call)
	if vars == nil || len(all) < 2 {
		return nil, nil
	}
	var r *repeated
	for i, first := range all {
		if r = following(fn, first, all[i+1:], vars); r != nil {
			break
		}
	}
	switch {
	case r == nil:
		return nil, nil
	case code.Jumps(fn.Decl.Body):
		return nil, prove.Refuse(fn.Obj.Name() + " uses goto")
	}
	for _, v := range vars {
		if code.AddressTaken(fn.Info(), fn.Decl.Body, v) {
			return nil, prove.Refusef("the address of %s is taken", v.Name())
		}
		if code.Any(fn.Decl.Body, func(lit *ast.FuncLit) bool { return code.WrittenIn(fn.Info(), lit, v) }) {
			return nil, prove.Refusef("a function literal assigns to %s", v.Name())
		}
	}
	edits, why := r.edits(p)
	if why != nil {
		return nil, why
	}
	return p.Change(fn, edits, model.Change{
		Kind:  "repeated-call",
		Title: fmt.Sprintf("%s: call %s once in %s", fn.File.Pkg.Name, types.ExprString(r.first), fn.Obj.Name()),
		Obligations: []model.Obligation{
			computesOnly(call),
			{Text: "the arguments are the same each time", How: "proven", Why: "nothing on the way assigns to their variables, and nothing else can"},
			{Text: "it is called no more often than before", How: "proven", Why: "the first call is made whenever its statement runs, and the others come after it"},
		},
	})
}

// operands returns the local variables of a call of them and of constants; nil if it
// depends on anything else.
func operands(fn *prove.Function, call *ast.CallExpr) []*types.Var {
	vars := []*types.Var{}
	for id := range code.All[*ast.Ident](call) {
		switch obj := fn.Info().Uses[id].(type) {
		case *types.Var:
			if obj.IsField() || !code.Declares(fn.Decl, obj) {
				return nil
			}
			vars = append(vars, obj)
		case *types.PkgName, *types.Func, *types.Const:
		default:
			return nil
		}
	}
	return vars
}

// following returns which of the later calls come to what the first one did; nil for none.
func following(fn *prove.Function, first *ast.CallExpr, later []*ast.CallExpr, vars []*types.Var) *repeated {
	r := &repeated{fn: fn, first: first, at: evaluates(fn.File, first)}
	if r.at == nil || slices.ContainsFunc(vars, func(v *types.Var) bool { return v.Pos() >= r.at.Pos() }) {
		return nil
	}
	end := fn.File.Parent(r.at).End()
	writes := writesFrom(fn, r.at, vars)
	for _, call := range later {
		if call.Pos() >= end || within[*ast.FuncLit](fn.File, call, r.at.Pos()) != nil {
			continue
		}
		if !slices.ContainsFunc(writes, func(w ast.Stmt) bool { return spoils(fn.File, w, call, r.at.Pos()) }) {
			r.again = append(r.again, call)
		}
	}
	if len(r.again) == 0 || slices.ContainsFunc(writes, func(w ast.Stmt) bool { return w.Pos() < first.Pos() }) {
		return nil
	}
	return r
}

// evaluates returns the statement of a list that evaluates an expression whenever it
// runs, once and before it changes a variable; nil if none does.
func evaluates(f *prove.File, e ast.Expr) ast.Stmt {
	for child, up := ast.Node(e), f.Parent(e); up != nil; child, up = up, f.Parent(up) {
		switch n := up.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.LAND || n.Op == token.LOR) && child == n.Y {
				return nil
			}
		case *ast.IfStmt:
			if child != n.Init && child != n.Cond {
				return nil
			}
		case *ast.SwitchStmt:
			if child != n.Init && child != n.Tag {
				return nil
			}
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.LabeledStmt, *ast.GoStmt, *ast.DeferStmt:
			return nil
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			stmt, ok := child.(ast.Stmt)
			if !ok || !slices.Contains(code.StmtList(up), stmt) || within[*ast.FuncLit](f, up, token.NoPos) != nil {
				return nil
			}
			return stmt
		}
	}
	return nil
}

// within returns the outermost node of a kind around n that begins at or after a
// position, nil if there is none.
func within[N ast.Node](f *prove.File, n ast.Node, from token.Pos) (found ast.Node) {
	for up := f.Parent(n); up != nil && up.Pos() >= from; up = f.Parent(up) {
		if _, ok := up.(N); ok {
			found = up
		}
	}
	return found
}

// writesFrom returns the statements at or behind one that assign to variables.
func writesFrom(fn *prove.Function, at ast.Stmt, vars []*types.Var) []ast.Stmt {
	var found []ast.Stmt
	one := func(e ast.Expr) bool {
		return slices.ContainsFunc(vars, func(v *types.Var) bool { return prove.IsUseOf(fn.Info(), e, v) })
	}
	for s := range code.All[ast.Stmt](fn.Decl.Body) {
		if s.End() > at.Pos() && slices.ContainsFunc(code.Assigned(s), one) {
			found = append(found, s)
		}
	}
	return found
}

// spoils reports whether a statement may assign to a variable before a call is made: it
// stands before it, or in a loop with it. What assigns the call's own result comes after it.
func spoils(f *prove.File, write ast.Stmt, call *ast.CallExpr, from token.Pos) bool {
	if _, ranges := write.(*ast.RangeStmt); !ranges && code.Within(write, call) || write.Pos() > call.Pos() {
		return slices.ContainsFunc([]ast.Node{within[*ast.ForStmt](f, call, from), within[*ast.RangeStmt](f, call, from)}, func(loop ast.Node) bool {
			return loop != nil && code.Within(loop, write)
		})
	}
	return true
}

// edits keep the first result in a variable: that which it is assigned to, or a new one.
func (r *repeated) edits(p *prove.Program) ([]model.Edit, *prove.Reason) {
	f := r.fn.File
	var edits []model.Edit
	name := r.held()
	if name == "" {
		if name = code.FirstFree(r.fn.Decl, computedNames(r.fn.Info(), r.first)...); name == "" {
			return nil, prove.Refuse("no name is free for the result")
		}
		edits = append(edits, p.Insert(f, p.Above(f, r.at), name+" := "+p.Source(f, r.first)+"\n"))
		r.again = append(r.again, r.first)
	}
	for _, c := range r.again {
		edits = append(edits, p.Put(f, c.Pos(), c.End(), name))
	}
	return edits, nil
}

// held returns the name of the variable that the first result is kept in already, and that
// means it wherever it is called again; empty if there is none.
func (r *repeated) held() string {
	a, ok := r.at.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || ast.Unparen(a.Rhs[0]) != ast.Expr(r.first) {
		return ""
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	v := r.fn.Info().Defs[id]
	if !ok || v == nil || code.WrittenIn(r.fn.Info(), r.fn.Decl.Body, v) {
		return ""
	}
	for _, c := range r.again {
		scope := r.fn.Obj.Pkg().Scope().Innermost(c.Pos())
		if scope == nil {
			return ""
		}
		if _, there := scope.LookupParent(id.Name, c.Pos()); there != v {
			return ""
		}
	}
	return id.Name
}
