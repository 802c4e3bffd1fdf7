package nestedscan

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// scan reports an inner loop that does nothing but compare each element, or a
// field of it, with something that the outer loop varies.
func scan(p *rule.Pass, cur inspector.Cursor, loop inspector.Cursor) {
	inner := cur.Node().(ast.Stmt)
	xs, of, with := compares(p, inner)
	if with == nil || code.Invariant(p.Index, p.TypesInfo, with, loop.Node()) || code.Rare(p.TypesInfo, cur) {
		return
	}
	_, field := ast.Unparen(of).(*ast.SelectorExpr)
	xs = whole(p, xs, loop.Node())
	if !steady(p, xs, loop.Node()) && !(!field && grows(p, xs, with, loop.Node())) {
		return
	}
	p.Report(rule.Finding{
		Pos: inner.Pos(), End: code.Body(inner).Lbrace,
		Hot: inner,
		Message: fmt.Sprintf("each iteration compares %s with all of %s; a map by that key, built before the loop, finds the match in constant time",
			p.Source(with), p.Source(xs)),
	})
}

// whole returns xs for what follows an element of it, xs[i+1:], in a loop that names i.
func whole(p *rule.Pass, x ast.Expr, loop ast.Node) ast.Expr {
	if rest, ok := ast.Unparen(x).(*ast.SliceExpr); ok && rest.High == nil && rest.Low != nil && code.MentionsOf(p.TypesInfo, rest.Low, loop) {
		return rest.X
	}
	return x
}

// compares returns what a loop goes over if it does nothing but compare: its element, or a
// field of it, and something else; nil for other loops.
func compares(p *rule.Pass, inner ast.Stmt) (xs, of, with ast.Expr) {
	block := code.Body(inner)
	if block == nil || len(block.List) != 1 {
		return nil, nil, nil
	}
	branch, ok := block.List[0].(*ast.IfStmt)
	if !ok || branch.Init != nil || branch.Else != nil {
		return nil, nil, nil
	}
	e, ok := code.ElementsOf(p.Index, p.TypesInfo, inner)
	if !ok {
		return nil, nil, nil
	}
	of, with = equals(p, branch.Cond, func(x ast.Expr) bool { return e.IsPart(p.TypesInfo, x) }, inner)
	return e.Over, of, with
}

// equals returns what a condition in some code compares: a part of an element, and something
// from outside; nil for other conditions.
func equals(p *rule.Pass, cond ast.Expr, part func(ast.Expr) bool, home ast.Node) (of, with ast.Expr) {
	eq, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || eq.Op != token.EQL || !hashable(p.TypesInfo.TypeOf(eq.X)) || !hashable(p.TypesInfo.TypeOf(eq.Y)) {
		return nil, nil
	}
	of, with = eq.X, eq.Y
	if !part(of) {
		of, with = with, of
	}
	if !part(of) || code.MentionsOf(p.TypesInfo, with, home) {
		return nil, nil
	}
	return of, with
}

// looked returns what a function literal that is asked of each element looks for.
func looked(p *rule.Pass, x ast.Expr) ast.Expr {
	lit, ok := ast.Unparen(x).(*ast.FuncLit)
	if !ok || len(lit.Body.List) != 1 || lit.Type.Params.NumFields() != 1 || len(lit.Type.Params.List[0].Names) != 1 {
		return nil
	}
	ret, ok := lit.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	elem, _ := p.TypesInfo.Defs[lit.Type.Params.List[0].Names[0]].(*types.Var)
	each := code.Elements{Elem: elem}
	_, with := equals(p, ret.Results[0], func(x ast.Expr) bool { return elem != nil && each.IsPart(p.TypesInfo, x) }, lit)
	return with
}

// grows reports whether a loop appends an item to a slice from outside.
func grows(p *rule.Pass, xs, item ast.Expr, loop ast.Node) bool {
	v := code.Var(p.TypesInfo, xs)
	return code.Local(v) && !code.Within(loop, declaration(v)) && code.Any(loop, func(a *ast.AssignStmt) bool {
		return len(a.Lhs) == 1 && len(a.Rhs) == 1 && code.Var(p.TypesInfo, a.Lhs[0]) == v && appends(p, a.Rhs[0], item)
	})
}

// appends reports whether x is append(…, item).
func appends(p *rule.Pass, x, item ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	return ok && code.IsBuiltin(p.TypesInfo, call, "append") && len(call.Args) == 2 && code.SameExpr(p.TypesInfo, call.Args[1], item)
}

// A search is what a function or literal of the package does if it does nothing else: it
// looks for a parameter in another, in a field of its receiver, or in what is around it.
type search struct {
	fn    ast.Node
	xs    ast.Expr   // in the function
	field *types.Var // xs, if it is a field of the receiver
	held  bool       // xs is of the code around a literal
	item  int        // the parameter that is looked for
}

// searches returns the search of a function, nil where it does something else.
func searches(p *rule.Pass, fn ast.Node) *search {
	var sig *types.Signature
	var block *ast.BlockStmt
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		if f, ok := p.TypesInfo.Defs[fn.Name].(*types.Func); ok {
			sig, block = f.Signature(), fn.Body
		}
	case *ast.FuncLit:
		sig, _ = p.TypesInfo.TypeOf(fn).(*types.Signature)
		block = fn.Body
	}
	if sig == nil || block == nil || sig.Variadic() {
		return nil
	}
	xs, with := body(p, block.List)
	v, item := code.Named(p.TypesInfo, xs), code.ParameterIndex(sig, code.Var(p.TypesInfo, with))
	if v == nil || item < 0 {
		return nil
	}
	s := &search{fn: fn, xs: xs, item: item}
	sel, selects := ast.Unparen(xs).(*ast.SelectorExpr)
	switch {
	case sig.Params().Len() == 2:
		return s.where(!selects && code.ParameterIndex(sig, v) >= 0)
	case sig.Params().Len() > 2:
		return nil
	case selects && sig.Recv() != nil && code.Var(p.TypesInfo, sel.X) == sig.Recv():
		s.field = v
	default:
		s.held = sig.Recv() == nil && !code.MentionsOf(p.TypesInfo, xs, fn)
		return s.where(s.held)
	}
	return s
}

func (s *search) where(holds bool) *search {
	if holds {
		return s
	}
	return nil
}

// body returns what some statements search, and for what, if they do nothing else: a loop
// that compares, and a return.
func body(p *rule.Pass, list []ast.Stmt) (xs, item ast.Expr) {
	if len(list) != 2 {
		return nil, nil
	}
	if _, returns := list[1].(*ast.ReturnStmt); !returns {
		return nil, nil
	}
	xs, _, item = compares(p, list[0])
	return xs, item
}

// searched reports the calls in loops of a function that searches.
func searched(p *rule.Pass, fn inspector.Cursor) {
	s := searches(p, fn.Node())
	if s == nil || code.Few(p, s.xs, small) {
		return
	}
	for cur, call := range code.Calls(p.Index, p.TypesInfo, fn) {
		loop, ok := code.Loop(cur)
		if !ok || len(call.Args) <= s.item || short(p, loop) || code.Rare(p.TypesInfo, cur) {
			continue
		}
		if xs := s.in(p, call, loop.Node()); xs != "" && !code.Invariant(p.Index, p.TypesInfo, call.Args[s.item], loop.Node()) {
			p.Report(rule.Finding{
				Pos: call.Pos(), End: call.End(),
				Message: fmt.Sprintf("%s searches %s in each iteration; a set that is built before the loop is asked in constant time", name(p, call), xs),
			})
		}
	}
}

// name is how the function that a call calls is known.
func name(p *rule.Pass, call *ast.CallExpr) string {
	if f := code.Callee(p.TypesInfo, call); f != nil {
		return f.Name()
	}
	return p.Source(call.Fun)
}

// in returns what a call in a loop searches, "" where the loop may change it.
func (s *search) in(p *rule.Pass, call *ast.CallExpr, loop ast.Node) string {
	if s.field == nil {
		xs := s.xs
		if !s.held {
			xs = call.Args[1-s.item]
		}
		if steady(p, xs, loop) {
			return p.Source(xs)
		}
		return ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !code.Invariant(p.Index, p.TypesInfo, sel.X, loop) || calls(p, loop) || !only(p, s.field, loop) {
		return ""
	}
	return p.Source(sel.X) + "." + s.field.Name()
}

// pairs is a comparison of each pair of elements of one slice:
//
//	for i := range xs {
//		for j := i + 1; j < len(xs); j++ {
//			if xs[i] == xs[j] { … }
type pairs struct {
	p      *rule.Pass
	outer  inspector.Cursor
	inner  *ast.ForStmt
	xs     ast.Expr
	branch *ast.IfStmt
}

// readPairs returns nil if the two loops are something else.
func readPairs(p *rule.Pass, inner *ast.ForStmt, outer inspector.Cursor) *pairs {
	init, ok := inner.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(inner.Body.List) != 1 {
		return nil
	}
	walk, _ := code.ElementsOf(p.Index, p.TypesInfo, outer.Node())
	i, xs := walk.Key, walk.Over
	next, ok := init.Rhs[0].(*ast.BinaryExpr)
	if i == nil || walk.Elem != nil || !ok || next.Op != token.ADD || code.Var(p.TypesInfo, next.X) != i {
		return nil
	}
	one, ok := code.Int(p.TypesInfo, next.Y)
	j := code.Var(p.TypesInfo, init.Lhs[0])
	branch, isIf := inner.Body.List[0].(*ast.IfStmt)
	if !ok || one != 1 || !isIf || branch.Init != nil || branch.Else != nil || !counts(p, inner, j, xs) || !steady(p, xs, outer.Node()) {
		return nil
	}
	eq, ok := ast.Unparen(branch.Cond).(*ast.BinaryExpr)
	if !ok || eq.Op != token.EQL || !hashable(p.TypesInfo.TypeOf(eq.X)) {
		return nil
	}
	a, b := index(p, eq.X, xs), index(p, eq.Y, xs)
	if a == nil || b == nil || !(a == i && b == j || a == j && b == i) {
		return nil
	}
	return &pairs{p: p, outer: outer, inner: inner, xs: xs, branch: branch}
}

// counts reports whether a loop runs while j < len(xs) and counts j up, which
// it does not change otherwise.
func counts(p *rule.Pass, loop *ast.ForStmt, j *types.Var, xs ast.Expr) bool {
	cond, ok := loop.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.LSS || code.Var(p.TypesInfo, cond.X) != j || j == nil {
		return false
	}
	size, ok := cond.Y.(*ast.CallExpr)
	inc, isInc := loop.Post.(*ast.IncDecStmt)
	return ok && isInc && inc.Tok == token.INC && code.Var(p.TypesInfo, inc.X) == j && code.IsBuiltin(p.TypesInfo, size, "len") &&
		code.SameExpr(p.TypesInfo, size.Args[0], xs) && !code.Written(p.Index, p.TypesInfo, j, loop.Body)
}

// index returns the variable in xs[i].
func index(p *rule.Pass, x, xs ast.Expr) *types.Var {
	n, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok || !code.SameExpr(p.TypesInfo, n.X, xs) {
		return nil
	}
	return code.Var(p.TypesInfo, n.Index)
}

func (d *pairs) report(given names) {
	f := rule.Finding{
		Pos: d.branch.Cond.Pos(), End: d.branch.Cond.End(), Hot: d.inner,
		Message: fmt.Sprintf("each pair of elements of %s is compared to find equal ones; a set of those seen needs one pass", d.p.Source(d.xs)),
	}
	if edits := d.edits(given); edits != nil && !code.Generic(d.p.TypesInfo.TypeOf(d.xs).Underlying().(*types.Slice).Elem()) {
		f.Fixes = []analysis.SuggestedFix{{Message: "Keep a set of the elements seen", TextEdits: edits}}
	}
	d.p.Report(f)
}
