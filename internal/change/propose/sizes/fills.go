package sizes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// An addition is a statement that adds to a map or a slice.
type addition struct {
	to     ast.Expr // the container, as it is written here
	n      int      // elements added outright
	spread ast.Expr // all of whose elements are added, or nil
	key    ast.Expr // of a map
	again  bool     // it looks at the container, too: it counts or groups
}

// additionIn reads a statement; ok is false if it adds to nothing.
func additionIn(info *types.Info, s ast.Stmt) (a addition, ok bool) {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		a.to, a.key = mapElement(info, s.X)
		a.n, a.again = 1, true
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			if a.to, a.key = mapElement(info, l); a.to != nil {
				a.n, a.again = 1, s.Tok != token.ASSIGN || mentionsVariable(info, s.Rhs, a.to)
				return a, true
			}
		}
		if len(s.Lhs) == 1 && s.Tok == token.ASSIGN {
			return appendIn(info, s.Lhs[0], s.Rhs[0])
		}
	case *ast.ExprStmt:
		call, isCall := s.X.(*ast.CallExpr)
		if !isCall || len(call.Args) != 2 {
			return a, false
		}
		fn := code.Callee(info, call)
		if fn != nil && fn.Name() == "Copy" && fn.Pkg() != nil && (fn.Pkg().Path() == "maps" || fn.Pkg().Path() == "golang.org/x/exp/maps") {
			a.to, a.spread = call.Args[0], call.Args[1]
		}
	}
	return a, a.to != nil
}

func appendIn(info *types.Info, to, from ast.Expr) (a addition, ok bool) {
	call, ok := ast.Unparen(from).(*ast.CallExpr)
	if !ok || code.Builtin(info, call) != "append" || len(call.Args) < 2 {
		return a, false
	}
	a = addition{to: to, n: len(call.Args) - 1}
	if call.Ellipsis.IsValid() {
		a.n, a.spread = 0, call.Args[1]
	}
	if code.SameVariable(info, to, call.Args[0]) {
		return a, true
	}
	inner, ok := appendIn(info, to, call.Args[0])
	x, y := inner.spelled(info), a.spelled(info)
	return addition{to: to, n: x + y}, ok && x > 0 && y > 0
}

// spelled is how many elements it adds if that is written in it, else 0.
func (a addition) spelled(info *types.Info) int {
	if a.spread == nil {
		return a.n
	}
	return spelled(info, a.spread)
}

func mapElement(info *types.Info, e ast.Expr) (m, key ast.Expr) {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return nil, nil
	}
	if _, ok := code.Core(info.TypeOf(x.X)).(*types.Map); !ok {
		return nil, nil
	}
	return x.X, x.Index
}

// mentionsVariable reports whether expressions read the variable or field
// that x names.
func mentionsVariable(info *types.Info, list []ast.Expr, x ast.Expr) bool {
	return slices.ContainsFunc(list, func(e ast.Expr) bool {
		return code.Any(e, func(other ast.Expr) bool { return code.SameVariable(info, other, x) })
	})
}

// A total is how many elements statements add to a container.
type total struct {
	fixed int    // at most, whatever the lengths are
	least int    // of those, how many are added whatever conditions say
	parts []part // and for each element of something
	fewer string // why there may be fewer; "" if there never are
	ways
}

// A part is a number of elements for each element of an expression, or for
// each unit of an integer.
type part struct {
	times int
	of    ast.Expr
	text  string   // the number of iterations: "len(x)", "n"
	stmt  ast.Stmt // adds them
	found bool     // of is a call, which says how many elements there are
	sure  bool     // at least one for each, unless the function ends with the container unseen
	bound string   // the variable that is to hold what of, a call, returns
}

func (t total) size() string {
	var terms []string
	for _, p := range t.parts {
		switch {
		case p.times == 1:
			terms = append(terms, p.text)
		case strings.ContainsAny(p.text, "+-/"):
			terms = append(terms, fmt.Sprintf("%d*(%s)", p.times, p.text))
		default:
			terms = append(terms, fmt.Sprintf("%d*%s", p.times, p.text))
		}
	}
	if t.fixed > 0 {
		terms = append(terms, fmt.Sprint(t.fixed))
	}
	return strings.Join(terms, "+")
}

// add counts what other statements add that follow.
func (t *total) add(other total) {
	if t.ends {
		return
	}
	t.next, t.out, t.left = t.next.or(other.next.after(t)), t.out.or(other.out.after(t)), t.left.or(other.left.after(t))
	t.ends = other.ends
	t.fixed += other.fixed
	t.least += other.least
	t.parts = append(t.parts, other.parts...)
	t.fewer = cmp.Or(t.fewer, other.fewer)
}

// A counter counts what statements of a function add to one container.
type counter struct {
	p  *prove.Program
	fn *prove.Function
	to ast.Expr
}

func (c counter) adds(n ast.Node) (found []addition) {
	if n == nil {
		return nil
	}
	for s := range code.All[ast.Stmt](n) {
		if a, ok := c.addition(s); ok && code.SameVariable(c.fn.Info(), a.to, c.to) {
			found = append(found, a)
		}
	}
	return found
}

func (c counter) direct(s ast.Stmt, a addition) (total, *prove.Reason) {
	if len(c.adds(s)) > 1 {
		return total{}, prove.Refuse("a function literal adds to it")
	}
	if n := a.spelled(c.fn.Info()); n > 0 {
		return total{fixed: n, least: n}, nil
	}
	of := code.Countable(c.fn.Info(), a.spread)
	if of == nil {
		return total{}, prove.Refuse("the number of elements in " + types.ExprString(a.spread) + " is not known before")
	}
	t := total{parts: []part{{times: 1, of: of, text: "len(" + c.p.Source(c.fn.File, of) + ")", stmt: s}}}
	return t, nil
}

// spelled is the length of a constant string, also as bytes, of a literal of elements, or of all of an array; 0 for others.
func spelled(info *types.Info, e ast.Expr) int {
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return len(constant.StringVal(v))
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		if e.Low == nil && e.High == nil && e.Max == nil {
			n, _ := code.ArrayLen(info.TypeOf(e.X))
			return int(n)
		}
	case *ast.CompositeLit:
		if !slices.ContainsFunc(e.Elts, func(e ast.Expr) bool { _, keyed := e.(*ast.KeyValueExpr); return keyed }) {
			return len(e.Elts)
		}
	case *ast.CallExpr:
		if text, _ := code.Converted(info, e); text != nil {
			return spelled(info, text)
		}
	}
	return 0
}

// loop counts what all iterations add.
func (c counter) loop(s ast.Stmt, body *ast.BlockStmt) (total, *prove.Reason) {
	info := c.fn.Info()
	each, why := c.list(body.List)
	if why != nil {
		return each, why
	}
	if len(each.parts) > 0 {
		return each, prove.Refuse("a loop in a loop fills it: the number of elements is not known before")
	}
	early, exact := code.Exits(info, body, token.NoPos)
	if _, labeled := c.fn.File.Parent(s).(*ast.LabeledStmt); early || labeled {
		return each, prove.Refuse("the loop that fills it may end early")
	}
	if !exact && each.fewer == "" {
		each.fewer = "the loop ends when there is an error"
	}
	adds := c.adds(body)
	if len(adds) == 0 || each.fixed == 0 {
		return each, prove.Refuse("the head of a loop fills it")
	}
	for _, a := range adds {
		if why := c.key(a, s); why != nil {
			return each, why
		}
	}
	if adds[0].key != nil && each.fewer == "" && c.mentions(body) > len(adds) {
		return each, prove.Refuse("its keys are expected to come again: they are looked up, too")
	}
	one, why := c.elements(s)
	if why != nil {
		return each, why
	}
	one.times, one.sure = each.fixed, each.least > 0 && !c.returned(body)
	return total{parts: []part{one}, fewer: each.fewer}, nil
}

// returned reports whether a return statement in a loop may hand the container out, or a literal such as a deferred one
// may look at it then.
func (c counter) returned(body *ast.BlockStmt) bool {
	kept := code.Any(c.fn.Decl.Body, func(lit *ast.FuncLit) bool { return lit.Pos() < body.End() && c.mentions(lit) > 0 })
	return code.Any(body, func(r *ast.ReturnStmt) bool { return kept || len(r.Results) == 0 || c.mentions(r) > 0 })
}

// mentions counts where a part of the function names the container.
func (c counter) mentions(n ast.Node) int {
	count := 0
	for e := range code.All[ast.Expr](n) {
		if code.SameVariable(c.fn.Info(), e, c.to) {
			count++
		}
	}
	return count
}

// key says why the keys of a map's additions in a loop are few.
func (c counter) key(a addition, loop ast.Node) *prove.Reason {
	if a.key == nil {
		return nil
	}
	info := c.fn.Info()
	if b, ok := code.Core(info.TypeOf(a.to)).(*types.Map).Key().Underlying().(*types.Basic); ok {
		if k := b.Kind(); k == types.Bool || k == types.Uint8 || k == types.Int8 {
			return prove.Refuse("its keys have few values")
		}
	}
	if a.again {
		return prove.Refuse("its keys are expected to come again: it counts or groups")
	}
	varies := code.Any(a.key, func(id *ast.Ident) bool {
		v, isVar := info.Uses[id].(*types.Var)
		return isVar && !v.IsField() && (code.Declares(loop, v) || code.WrittenIn(info, loop, v))
	})
	if !varies {
		return prove.Refuse("its key is the same in each iteration")
	}
	return nil
}
