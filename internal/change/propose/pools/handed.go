package pools

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// leastCut is the size in bytes from which a copy of what was read into a buffer is usually much smaller than the buffer.
const leastCut = 1 << 10

// handedOn returns the parts v[i:n] of an array that go on to what may keep them, and whose length is known at run time
// only. A copy does as well there where nothing uses the array after that.
func (a *pooledArray) handedOn() (parts []*ast.SliceExpr, why *prove.Reason) {
	if a.size < leastCut {
		return nil, nil
	}
	f, info := a.fn.File, a.fn.Info()
	for id := range prove.UsesIn(info, a.fn.Decl.Body, a.Var) {
		part, ok := f.Parent(id).(*ast.SliceExpr)
		if !ok || part.X != id || part.High == nil || info.Types[part.High].Value != nil || f.Literal(part) != f.Literal(a.Stmt) {
			continue
		}
		fl := a.Wide.Flow(a.fn)
		fl.Expr(part)
		fl.Drain()
		if !fl.Outlives() {
			continue
		}
		if fl.CapSeen {
			return nil, prove.Refuse("the capacity of a part of it is asked for, which a copy does not have")
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// usedAfter returns what uses some variables once a part has gone on, before the array is made anew; nil if nothing does.
func (a *pooledArray) usedAfter(part *ast.SliceExpr, vars []*types.Var) (found *ast.Ident) {
	f, info := a.fn.File, a.fn.Info()
	in := func(n, but ast.Node) bool {
		for id := range code.All[*ast.Ident](n) {
			if v, ok := info.Uses[id].(*types.Var); ok && slices.Contains(vars, v) && !code.Within(but, id) && found == nil {
				found = id
			}
		}
		return found != nil
	}
	var around ast.Node = a.fn.Decl
	if lit := f.Literal(part); lit != nil {
		around = lit
	}
	var but ast.Node = part // the first time
	if !code.Onward(code.Graph(info, around), part, func(n ast.Node) bool {
		used := in(n, but)
		but = nil
		return !used && !code.Within(a.Stmt, n)
	}) {
		return part.X.(*ast.Ident)
	}
	code.Any(a.fn.Decl.Body, func(d *ast.DeferStmt) bool { return in(d, part) })
	return found
}

// copies writes the parts as copies of them, and says why these do as well; nothing where there are none.
func (a *pooledArray) copies(p *prove.Program, held []*types.Var) (edits []model.Edit, all []model.Obligation, why *prove.Reason) {
	name := a.Name.Name
	for _, part := range a.Copied {
		if id := a.usedAfter(part, append(held, a.Var)); id != nil {
			return nil, nil, prove.Refusef("a part of it goes on (%s), and %s is used after that (%s)", p.Pos(part.Pos()), id.Name, p.Pos(id.Pos()))
		}
		typ := p.TypeText(a.fn, types.NewSlice(a.Array.Elem()), nil)
		edits = append(edits, p.Insert(a.fn.File, part.Pos(), "append("+typ+"{}, "), p.Insert(a.fn.File, part.End(), "...)"))
	}
	if len(edits) == 0 {
		return nil, nil, nil
	}
	return edits, []model.Obligation{
		{Text: "a copy of the part that goes on is as good as it is", How: "proven", Why: "nothing uses " + name + " after that, until it is made anew"},
		{Text: "who gets the part does not use memory beyond its length", How: "assumed", Why: "behind it was the rest of " + name + ", and behind the copy is less"},
		{Text: "the parts are smaller than " + name, How: "assumed", Why: "measurement decides whether copies of them cost less"},
	}, nil
}
