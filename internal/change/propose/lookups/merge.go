package lookups

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Merge keeps what a map was asked for.
var Merge = prove.Transformation{
	Name:     "merge-lookups",
	Doc:      "A map that is asked for one key twice, as in if _, ok := m[k]; ok { use(m[k]) }, with nothing between that could change the answer, is asked once. So is one in a loop over its keys, which has the value at hand.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "merge-lookups", "BenchmarkSum", "cpu", "half of the time for entries that are there", 0),
	// It looks at the look-ups on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for _, l := range pairsIn(s.Program, s.Fn) {
			if !slices.ContainsFunc(append(l.reads, l.first), func(e *ast.IndexExpr) bool { return s.Covers(e, s.At.Line) }) {
				continue
			}
			c, why := proposeMerge(l)
			s.Add(types.ExprString(l.first)+" is looked up more than once", c, why)
		}
	}),
}

// maxElement is the largest element, in bytes, that is worth copying to a
// variable where a part of it was read.
const maxElement = 64

func proposeMerge(l *pair) (*model.Change, *prove.Reason) {
	fn := l.fn
	if code.Jumps(fn.Decl.Body) {
		return nil, prove.Refuse(fn.Obj.Name() + " uses goto")
	}
	what := types.ExprString(l.first)
	elem := mapOf(fn.Info(), l.first).Elem()
	switch n := code.Size(fn.File.Pkg.TypesSizes, elem); {
	case l.nan:
		return nil, prove.Refuse("a key may be NaN, which a look-up does not find, while the loop has its value")
	case n > maxElement:
		return nil, prove.Refusef("its values have %d bytes, which a variable would be a copy of", n)
	case code.Generic(elem) && slices.ContainsFunc(l.reads, l.inPart):
		return nil, prove.Refuse("a part of a value is read, and how large that is depends on a type parameter")
	}
	if why := l.reached(); why != nil {
		return nil, why
	}
	edits, why := l.edits()
	if why != nil {
		return nil, why
	}
	when := "the first look-up stays where it is"
	if _, ok := l.at.(*ast.RangeStmt); ok {
		when = "the loop reads an entry when it comes to it; keys equal themselves, and the variable keeps its map"
	}
	return l.p.Change(fn, edits, model.Change{
		Kind:  "merge-lookups",
		Title: fmt.Sprintf("%s: look %s of %s up once", fn.File.Pkg.Name, what, fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: what + " is the same each time", How: "proven",
				Why: "nothing on the way writes a map of its type, or what names map and key, and no code is called that could"},
			{Text: "it is looked up no earlier than before", How: "proven", Why: when},
		},
	})
}

// inPart reports whether only a part of a value is read, or a method called on it.
func (l *pair) inPart(e *ast.IndexExpr) bool {
	switch up := l.fn.File.Parent(e).(type) {
	case *ast.SelectorExpr, *ast.ParenExpr, *ast.SliceExpr:
		return true
	case *ast.IndexExpr:
		return up.X == ast.Expr(e)
	}
	return false
}

// reached says how other code could change the variables that name the map
// and the key: one whose address is taken, or that a function literal writes.
func (l *pair) reached() *prove.Reason {
	info := l.fn.Info()
	for _, v := range l.names {
		if code.AddressTaken(info, l.fn.Decl.Body, v) {
			return prove.Refuse("the address of " + v.Name() + " is taken")
		}
		if code.Any(l.fn.Decl.Body, func(lit *ast.FuncLit) bool { return !code.Declares(lit, v) && code.WrittenIn(info, lit, v) }) {
			return prove.Refuse("a function literal assigns to " + v.Name())
		}
	}
	return nil
}
