package hints

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// constants is for b[0], b[1], b[2]: one look at the greatest index says that
// the others are there.
func (g *checked) constants() (alternative, bool) {
	greatest, least := int64(-1), int64(0)
	for i, c := range g.checks {
		n, ok := g.reach(c.expr)
		if !ok {
			return alternative{}, false
		}
		if i == 0 {
			least = n
		}
		greatest, least = max(greatest, n), min(least, n)
	}
	base := g.checks[0].base
	invariant := g.loop != nil && !g.assigned(g.loop, base)
	if greatest == least && !invariant || calls(base) {
		return alternative{}, false // one check for one
	}
	before, where := g.f.statement(g.checks[0].expr), "first"
	if invariant {
		before, where = g.f.statement(g.loop), "before the loop"
	}
	if before == nil {
		return alternative{}, false
	}
	assertion := fmt.Sprintf("_ = %s[%d]", g.f.Text(base), greatest)
	return alternative{
		try: fmt.Sprintf("write %s %s, in front of line %d", assertion, where, g.f.Line(before.Pos())),
		holds: []string{
			fmt.Sprintf("%s has more than %d elements whenever this is reached, or it makes no difference that the panic comes before what is done up to the index that is missing", g.f.Text(base), greatest),
		},
		edits: []model.Edit{g.f.Insert(before.Pos(), assertion+"; ")},
	}, true
}

// reach returns the greatest constant index that an expression needs.
func (g *checked) reach(e ast.Expr) (int64, bool) {
	of := func(x ast.Expr) (int64, bool) {
		tv := g.f.info.Types[x]
		if x == nil || tv.Value == nil || tv.Value.Kind() != constant.Int {
			return 0, false
		}
		return constant.Int64Val(tv.Value)
	}
	switch e := e.(type) {
	case *ast.IndexExpr:
		return of(e.Index)
	case *ast.SliceExpr:
		n, ok := of(e.High)
		return n - 1, ok && n > 0 && e.Max == nil
	}
	return 0, false
}

// A counter is the variable of a loop that counts up to a bound.
type counter struct {
	v     types.Object
	bound string   // as source
	of    ast.Expr // the expression in it
	elems ast.Expr // the slice that is ranged over; nil for a number
}

func (g *checked) counter() (counter, bool) {
	switch l := g.loop.(type) {
	case *ast.RangeStmt:
		id, ok := l.Key.(*ast.Ident)
		if !ok || l.Tok != token.DEFINE {
			return counter{}, false
		}
		v := g.f.info.Defs[id]
		switch t := g.f.info.TypeOf(l.X).Underlying().(type) {
		case *types.Basic:
			if t.Info()&types.IsInteger != 0 {
				return counter{v, g.f.Text(l.X), l.X, nil}, v != nil
			}
			return counter{v, "len(" + g.f.Text(l.X) + ")", l.X, l.X}, v != nil && t.Info()&types.IsString != 0
		case *types.Slice, *types.Array, *types.Pointer:
			return counter{v, "len(" + g.f.Text(l.X) + ")", l.X, l.X}, v != nil
		}
	case *ast.ForStmt:
		cond, ok := l.Cond.(*ast.BinaryExpr)
		if !ok || cond.Op != token.LSS {
			return counter{}, false
		}
		id, ok := ast.Unparen(cond.X).(*ast.Ident)
		if !ok {
			return counter{}, false
		}
		v := g.f.info.Uses[id]
		return counter{v, g.f.Text(cond.Y), cond.Y, nil}, v != nil
	}
	return counter{}, false
}

// counted is for x[i] in a loop over something else than x: a slice of x of
// the loop's length tells the compiler how the two belong together.
func (g *checked) counted() (alternative, bool) {
	base := g.checks[0].base
	count, ok := g.counter()
	if !ok || calls(base) || calls(count.of) || g.assigned(g.loop, base) || g.assigned(g.loop, count.of) {
		return alternative{}, false
	}
	for _, c := range g.checks {
		ix, ok := c.expr.(*ast.IndexExpr)
		if !ok {
			return alternative{}, false
		}
		id, ok := ast.Unparen(ix.Index).(*ast.Ident)
		if !ok || g.f.info.Uses[id] != count.v {
			return alternative{}, false
		}
	}
	src := g.f.Text(base)
	if p, ok := g.f.info.TypeOf(base).Underlying().(*types.Pointer); ok && p != nil {
		return alternative{}, false
	}
	bound := count.bound
	if g.narrow(count) {
		bound = "int(" + bound + ")"
	}
	a := g.hoisted(fmt.Sprintf("%s[:%s]", src, bound))
	a.holds = []string{
		fmt.Sprintf("len(%s) is at least %s, or it makes no difference that the panic comes before the loop; where the capacity is greater than the length there is no panic at all", src, count.bound),
		fmt.Sprintf("nothing in the loop gives %s another value, a call included", src),
	}
	return a, true
}

// narrow reports whether a bound is of another type than int.
func (g *checked) narrow(c counter) bool {
	if c.elems != nil {
		return false
	}
	b, ok := g.f.info.TypeOf(c.of).Underlying().(*types.Basic)
	return ok && b.Kind() != types.Int && b.Kind() != types.UntypedInt
}

// hoistedName is what the trial calls the local copy of the operand.
const hoistedName = "pawlHoisted"

// hoisted is: put value into a variable before the loop, and index that.
func (g *checked) hoisted(value string) alternative {
	before := g.f.statement(g.loop)
	a := alternative{
		try:   fmt.Sprintf("before the loop at line %d put %s into a variable of its own, and index that in the loop", g.f.Line(before.Pos()), value),
		edits: []model.Edit{g.f.Insert(before.Pos(), hoistedName+" := "+value+"; ")},
	}
	for _, c := range g.checks {
		a.edits = append(a.edits, g.f.Replace(c.base, hoistedName))
	}
	return a
}

// bytes is for table[b] with b of eight bits: an array of 256 needs no check.
func (g *checked) bytes() (alternative, bool) {
	base := g.checks[0].base
	slice, ok := g.f.info.TypeOf(base).Underlying().(*types.Slice)
	if !ok || g.loop == nil || calls(base) || g.assigned(g.loop, base) {
		return alternative{}, false
	}
	for _, c := range g.checks {
		ix, ok := c.expr.(*ast.IndexExpr)
		if !ok {
			return alternative{}, false
		}
		b, ok := g.f.info.TypeOf(ix.Index).Underlying().(*types.Basic)
		if !ok || b.Kind() != types.Uint8 {
			return alternative{}, false
		}
	}
	qualify, named := g.f.qualifier()
	elem := types.TypeString(slice.Elem(), qualify)
	if !*named {
		return alternative{}, false
	}
	src := g.f.Text(base)
	a := g.hoisted(fmt.Sprintf("(*[256]%s)(%s)", elem, src))
	a.try += "; or make it an array of 256 where it is declared"
	a.holds = []string{
		fmt.Sprintf("len(%s) is at least 256: the conversion panics where it is less", src),
		fmt.Sprintf("nothing in the loop gives %s another value, a call included", src),
	}
	return a, true
}

// walked is for b[i+k] and b[i:] where i is moved on by the loop. It takes a
// rewrite of the loop, so it is not tried.
func (g *checked) walked() (alternative, bool) {
	l, ok := g.loop.(*ast.ForStmt)
	if !ok {
		return alternative{}, false
	}
	base := g.checks[0].base
	if _, ok := ast.Unparen(base).(*ast.Ident); !ok || g.assigned(l, base) {
		return alternative{}, false
	}
	for _, c := range g.checks {
		if _, slice := c.expr.(*ast.SliceExpr); !slice && len(g.checks) == 1 {
			return alternative{}, false // x[i] is often as good as it gets
		}
		if !g.stepped(l, c.expr) {
			return alternative{}, false
		}
	}
	src := g.f.Text(base)
	return alternative{
		try:   fmt.Sprintf("walk the slice instead of the index: for len(%s) >= n { use %s[0] to %s[n-1], constant indexes; then %s = %s[n:] }", src, src, src, src, src),
		holds: []string{fmt.Sprintf("%s is not needed whole after the loop, or a second variable walks", src), "the loop moves on by the same number of elements each time round"},
	}, true
}

// stepped reports whether an index is made from a variable that the loop adds
// to.
func (g *checked) stepped(l *ast.ForStmt, e ast.Expr) bool {
	steps := make(map[types.Object]bool)
	for s := range code.All[*ast.AssignStmt](l) {
		if id, ok := s.Lhs[0].(*ast.Ident); ok && s.Tok == token.ADD_ASSIGN {
			steps[g.f.info.Uses[id]] = true
		}
	}
	index := []ast.Expr{}
	switch e := e.(type) {
	case *ast.IndexExpr:
		index = append(index, e.Index)
	case *ast.SliceExpr:
		index = append(index, e.Low, e.High)
	}
	return slices.ContainsFunc(index, func(x ast.Expr) bool {
		return x != nil && code.Any(x, func(id *ast.Ident) bool {
			obj := g.f.info.Uses[id]
			return obj != nil && steps[obj]
		})
	})
}
