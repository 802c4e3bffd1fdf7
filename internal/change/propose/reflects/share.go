package reflects

import (
	"go/ast"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// A home is a statement in a list of statements.
type home struct {
	list ast.Node
	stmt ast.Stmt
}

// homes returns the statements around a node, within the function or literal that it is in: the
// innermost first. Those within a loop are left out: the loop is the statement.
func homes(f *prove.File, n ast.Node) (all []home, looped bool) {
	for child, up := n, f.Parent(n); up != nil; child, up = up, f.Parent(up) {
		if _, ok := up.(*ast.FuncLit); ok {
			return all, looped
		}
		stmt, ok := child.(ast.Stmt)
		if !ok || !slices.Contains(code.StmtList(up), stmt) {
			continue
		}
		if body := code.Body(f.Parent(up)); body != nil && ast.Node(body) == up {
			all, looped = nil, true
			continue
		}
		all = append(all, home{up, stmt})
	}
	return all, looped
}

// A group is the calls that one buffer can serve. It is declared before a statement that they are
// in, or behind.
type group struct {
	home
	calls  []*transfer
	looped bool
}

// share finds the calls of one function that can use one buffer: they move numbers through an
// interface, which takes the buffer to the heap. It returns the others apart, and those that a
// buffer of their own does not help.
func share(fn *prove.Function, all []*transfer) (groups []*group, other, single []*transfer) {
	for _, t := range all {
		if t.via = t.basic() != "" && t.memory() == ""; !t.via {
			other = append(other, t)
			continue
		}
		if around, looped := homes(fn.File, t.call); len(around) > 0 {
			groups = join(groups, &group{around[0], []*transfer{t}, looped}, fn)
		}
	}
	return slices.DeleteFunc(groups, func(g *group) bool {
		alone := len(g.calls) == 1 && !g.looped
		if alone {
			single = append(single, g.calls...)
		}
		return alone
	}), other, single
}

// room returns how many bytes a buffer for all has.
func (g *group) room() (n int64) {
	for _, t := range g.calls {
		n = max(n, fixed(t.typ))
	}
	return n
}

// join adds a group, or makes it one with those that it encloses or is within.
func join(groups []*group, g *group, fn *prove.Function) []*group {
	for i, other := range groups {
		list, first, ok := together(fn.File, other, g)
		if !ok {
			continue
		}
		g = &group{home{list, first}, append(other.calls, g.calls...), g.looped || other.looped}
		return join(slices.Delete(groups, i, i+1), g, fn)
	}
	return append(groups, g)
}

// together returns the list that both groups are in, and the first statement, if one of them is
// of that list itself.
func together(f *prove.File, a, b *group) (list ast.Node, first ast.Stmt, ok bool) {
	for _, pair := range [][2]*group{{a, b}, {b, a}} {
		around, _ := homes(f, pair[1].stmt)
		for _, h := range around {
			if h.list != pair[0].list {
				continue
			}
			if first = h.stmt; pair[0].stmt.Pos() < first.Pos() {
				first = pair[0].stmt
			}
			return h.list, first, true
		}
	}
	return nil, nil, false
}
