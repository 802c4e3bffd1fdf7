package detours

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// An order reads a function that tells whether element i of a slice is less than
// element j, and writes one that compares two elements in three ways.
type order struct {
	p      *prove.Program
	fn     *prove.Function
	slice  ast.Expr
	also   types.Object // a variable that is the slice
	i, j   types.Object
	a, b   string // the elements
	result string // of one comparison
	needs  []string
	calls  []string                  // what is called on the elements
	begun  bool                      // a condition has been written
	values map[types.Object]ast.Expr // of the variables that a condition begins with
}

// A comparison is l < r of the elements.
type comparison struct {
	l, r   ast.Expr
	turned bool   // it was written as r > l
	say    string // how it is compared in three ways, "" where < is all that there is
}

// placeholder stands for the name of a package until it is known.
func placeholder(path string) string { return "\x00" + path }

// list rewrites statements that return in the end.
func (o *order) list(list []ast.Stmt) ([]string, *prove.Reason) {
	if len(list) == 0 {
		return nil, prove.Refuse("the function that compares goes on after a condition")
	}
	switch s := list[0].(type) {
	case *ast.AssignStmt:
		if !o.names(s) && !o.renames(s) {
			break
		}
		return o.list(list[1:])
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			return o.returned(s.Results[0])
		}
	case *ast.SwitchStmt:
		if ifs := asIfs(s); ifs != nil {
			return o.list(append(ifs, list[1:]...))
		}
	case *ast.IfStmt:
		if s.Init == nil || o.begins(s.Init) {
			return o.branch(s, rest(s, list[1:]))
		}
	}
	return nil, prove.Refuse("the function that compares does more than to compare keys one after the other")
}

// names takes a, b := s[i], s[j] for the names of the elements.
func (o *order) names(s *ast.AssignStmt) bool {
	if s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) || o.begun {
		return false
	}
	for k, e := range s.Rhs {
		x, ok := e.(*ast.IndexExpr)
		id, isIdent := s.Lhs[k].(*ast.Ident)
		if !ok || !isIdent || id.Name == "_" || code.WrittenIn(o.fn.Info(), o.fn.Decl.Body, o.fn.Info().Defs[id]) {
			return false
		}
		switch o.element(x) {
		case o.a:
			o.a = id.Name
		case o.b:
			o.b = id.Name
		default:
			return false
		}
	}
	return o.a != o.b
}

// renames takes x := s for another name of the slice.
func (o *order) renames(s *ast.AssignStmt) bool {
	if s.Tok != token.DEFINE || len(s.Lhs) != 1 || o.begun || o.also != nil || !code.SameVariable(o.fn.Info(), s.Rhs[0], o.slice) {
		return false
	}
	o.also = o.fn.Info().Defs[s.Lhs[0].(*ast.Ident)]
	return o.also != nil && !code.WrittenIn(o.fn.Info(), o.fn.Decl.Body, o.also)
}

// begins takes x, y := s[i].x, s[j].x before a condition for names of keys.
func (o *order) begins(init ast.Stmt) bool {
	s, ok := init.(*ast.AssignStmt)
	if !ok || s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
		return false
	}
	for k, l := range s.Lhs {
		v := o.fn.Info().Defs[l.(*ast.Ident)]
		if v == nil || !o.mentions(s.Rhs[k]) || code.WrittenIn(o.fn.Info(), o.fn.Decl.Body, v) {
			return false
		}
		o.values[v] = s.Rhs[k]
	}
	return true
}

// asIfs writes a switch without a tag as conditions; each case has to return.
func asIfs(s *ast.SwitchStmt) []ast.Stmt {
	var all []ast.Stmt
	if s.Init != nil || s.Tag != nil {
		return nil
	}
	for i, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		switch {
		case clause.List == nil && i+1 == len(s.Body.List):
			all = append(all, clause.Body...)
		case len(clause.List) != 1 || !returns(clause.Body):
			return nil
		default:
			all = append(all, &ast.IfStmt{Cond: clause.List[0], Body: &ast.BlockStmt{List: clause.Body}})
		}
	}
	return all
}

func returns(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	_, ok := list[len(list)-1].(*ast.ReturnStmt)
	return ok
}

// rest returns what is done where a condition does not hold.
func rest(s *ast.IfStmt, after []ast.Stmt) []ast.Stmt {
	switch other := s.Else.(type) {
	case *ast.BlockStmt:
		return append(slices.Clone(other.List), after...)
	case *ast.IfStmt:
		return append([]ast.Stmt{other}, after...)
	}
	return after
}

// branch rewrites a condition and what follows it.
func (o *order) branch(s *ast.IfStmt, after []ast.Stmt) ([]string, *prove.Reason) {
	o.begun = true
	if !o.mentions(s.Cond) {
		return o.kept(s, after)
	}
	if l, r, ok := o.equality(s.Cond, token.NEQ); ok {
		if c := o.returnsLess(s.Body.List); c != nil && o.same(c, l, r) {
			return o.key(c, after)
		}
		if first := o.flag(s.Body.List, l, r); first != nil {
			return o.flagged(l, r, first, after)
		}
	}
	if l, r, ok := o.equality(s.Cond, token.EQL); ok {
		if c := o.returnsLess(after); c != nil && o.same(c, l, r) {
			return o.key(c, s.Body.List)
		}
	}
	if c, yes := o.decides(s); c != nil {
		if len(after) > 0 {
			if next, ok := after[0].(*ast.IfStmt); ok && next.Init == nil {
				if d, no := o.decides(next); d != nil && no != yes && o.same(d, c.l, c.r) && o.text(d.l) == o.text(c.r) {
					if no {
						c = d
					}
					return o.key(c, rest(next, after[1:]))
				}
			}
		}
		if yes && len(after) == 1 && isFalse(o.fn.Info(), after[0]) {
			return o.last(c)
		}
	}
	return nil, prove.Refuse("it is not seen that the condition " + prove.Short(types.ExprString(s.Cond)) + " compares a key")
}

// flag returns what is true of the first of two elements where just one has a flag: what the statements return. It is
// nil where l and r are no flags.
func (o *order) flag(list []ast.Stmt, l, r ast.Expr) ast.Expr {
	b, ok := o.fn.Info().TypeOf(l).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsBoolean == 0 || len(list) != 1 || !o.mirrored(l, r) {
		return nil
	}
	ret, ok := list[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	e := ast.Unparen(ret.Results[0])
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		e = ast.Unparen(not.X)
	}
	if text := o.text(e); text != o.text(l) && text != o.text(r) {
		return nil
	}
	return ret.Results[0]
}

// flagged writes a comparison by a flag that others follow where both have it, or none.
func (o *order) flagged(l, r, first ast.Expr, after []ast.Stmt) ([]string, *prove.Reason) {
	for _, e := range []ast.Expr{l, r} {
		if why := o.readable(e, true); why != nil {
			return nil, why
		}
	}
	more, why := o.list(after)
	return append([]string{"if " + o.text(l) + " != " + o.text(r) + " {", "if " + o.text(first) + " {", "return -1", "}", "return 1", "}"}, more...), why
}

// kept leaves a condition that the elements have no part in.
func (o *order) kept(s *ast.IfStmt, after []ast.Stmt) ([]string, *prove.Reason) {
	yes, why := o.list(s.Body.List)
	if why != nil {
		return nil, why
	}
	no, why := o.list(after)
	if why != nil {
		return nil, why
	}
	lines := append([]string{"if " + o.p.Source(o.fn.File, s.Cond) + " {"}, yes...)
	return append(append(lines, "}"), no...), nil
}

// decides returns the comparison of if l < r { return yes }, nil for another statement.
func (o *order) decides(s *ast.IfStmt) (c *comparison, yes bool) {
	if len(s.Body.List) != 1 {
		return nil, false
	}
	yes = isTrue(o.fn.Info(), s.Body.List[0])
	if !yes && !isFalse(o.fn.Info(), s.Body.List[0]) {
		return nil, false
	}
	return o.less(s.Cond), yes
}

func isTrue(info *types.Info, s ast.Stmt) bool  { return isConst(info, s, true) }
func isFalse(info *types.Info, s ast.Stmt) bool { return isConst(info, s, false) }

func isConst(info *types.Info, s ast.Stmt, want bool) bool {
	r, ok := s.(*ast.ReturnStmt)
	return ok && len(r.Results) == 1 && isBool(info, r.Results[0], want)
}

func isBool(info *types.Info, e ast.Expr, want bool) bool {
	v := info.Types[e].Value
	return v != nil && v.Kind() == constant.Bool && constant.BoolVal(v) == want
}

func (o *order) returnsLess(list []ast.Stmt) *comparison {
	if len(list) != 1 {
		return nil
	}
	r, ok := list[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return nil
	}
	return o.less(r.Results[0])
}

// returned rewrites the result: a comparison, or l < r || l == r && more.
func (o *order) returned(e ast.Expr) ([]string, *prove.Reason) {
	e = ast.Unparen(e)
	if isBool(o.fn.Info(), e, false) {
		return []string{"return 0"}, nil
	}
	if c := o.less(e); c != nil {
		return o.last(c)
	}
	if or, ok := e.(*ast.BinaryExpr); ok && or.Op == token.LOR {
		and, ok := ast.Unparen(or.Y).(*ast.BinaryExpr)
		if c := o.less(or.X); c != nil && ok && and.Op == token.LAND {
			if l, r, ok := o.equality(and.X, token.EQL); ok && o.same(c, l, r) {
				return o.key(c, []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{and.Y}}})
			}
		}
	}
	return nil, prove.Refuse("it is not seen that " + prove.Short(types.ExprString(e)) + " compares a key of both elements")
}

// key writes a comparison that others follow where it finds the elements equal.
func (o *order) key(c *comparison, after []ast.Stmt) ([]string, *prove.Reason) {
	say, why := o.say(c, true)
	if why != nil {
		return nil, why
	}
	more, why := o.list(after)
	return append([]string{"if " + o.result + " := " + say + "; " + o.result + " != 0 {", "return " + o.result, "}"}, more...), why
}

// last writes the comparison that decides.
func (o *order) last(c *comparison) ([]string, *prove.Reason) {
	say, why := o.say(c, false)
	if why != nil || say != "" {
		return []string{"return " + say}, why
	}
	l, r := o.text(c.l), o.text(c.r)
	return []string{"switch {", "case " + l + " < " + r + ":", "return -1", "case " + l + " > " + r + ":", "return 1", "}", "return 0"}, nil
}

// say writes how elements are compared in three ways, "" for numbers that may not be
// ordered where nothing follows.
func (o *order) say(c *comparison, follows bool) (string, *prove.Reason) {
	t := o.fn.Info().TypeOf(c.l)
	b, ok := t.Underlying().(*types.Basic)
	float := ok && b.Info()&types.IsFloat != 0
	for _, e := range []ast.Expr{c.l, c.r} {
		if why := o.readable(e, follows || float || c.turned); why != nil {
			return "", why
		}
	}
	switch {
	case c.say != "":
		return strings.NewReplacer("$l", o.text(c.l), "$r", o.text(c.r)).Replace(c.say), nil
	case !ok || b.Info()&types.IsOrdered == 0:
		return "", prove.Refuse("values of type " + t.String() + " are not compared in three ways")
	case float && follows:
		return "", prove.Refuse(types.ExprString(c.l) + " may be NaN, after which other keys would count")
	case float:
		return "", nil
	}
	path := "cmp"
	if types.Identical(t, types.Typ[types.String]) {
		path = "strings"
	}
	o.needs = append(o.needs, path)
	return placeholder(path) + ".Compare(" + o.text(c.l) + ", " + o.text(c.r) + ")", nil
}

// less reads an expression as l < r of the same key of both elements, nil if it is
// none.
func (o *order) less(e ast.Expr) *comparison {
	var c *comparison
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LSS:
			c = &comparison{l: e.X, r: e.Y}
		case token.GTR:
			c = &comparison{l: e.Y, r: e.X, turned: true}
		}
		if v, ok := prove.ConstInt(o.fn.Info(), e.Y); ok {
			c = o.threeWay(e, v)
		}
	case *ast.CallExpr:
		c = o.moment(e)
	}
	if c == nil || !o.mirrored(c.l, c.r) {
		return nil
	}
	return c
}

// threeWay reads strings.Compare(l, r) < 0 and its like.
func (o *order) threeWay(e *ast.BinaryExpr, v int64) *comparison {
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return nil
	}
	fn := code.Callee(o.fn.Info(), call)
	if fn == nil || !slices.Contains([]string{"strings.Compare", "bytes.Compare", "cmp.Compare", "slices.Compare"}, fn.FullName()) {
		return nil
	}
	say := o.p.Source(o.fn.File, call.Fun)
	switch {
	case e.Op == token.LSS && v == 0, e.Op == token.EQL && v == -1:
		return &comparison{l: call.Args[0], r: call.Args[1], say: say + "($l, $r)"}
	case e.Op == token.GTR && v == 0, e.Op == token.EQL && v == 1:
		return &comparison{l: call.Args[1], r: call.Args[0], turned: true, say: say + "($l, $r)"}
	}
	return nil
}

// moment reads l.Before(r) and l.After(r) of package time.
func (o *order) moment(call *ast.CallExpr) *comparison {
	fn := code.Callee(o.fn.Info(), call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || fn == nil || !code.IsNamed(o.fn.Info().TypeOf(sel.X), "time", "Time") {
		return nil
	}
	switch fn.FullName() {
	case "(time.Time).Before":
		return &comparison{l: sel.X, r: call.Args[0], say: "$l.Compare($r)"}
	case "(time.Time).After":
		return &comparison{l: call.Args[0], r: sel.X, turned: true, say: "$l.Compare($r)"}
	}
	return nil
}
