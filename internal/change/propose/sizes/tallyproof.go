package sizes

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// lets returns what the loop comes to that may wait for other goroutines, or is not read: what they write is not there
// before. It is nil if there is none.
func (t *tally) lets() ast.Node {
	if n := t.letsIn(t.fn, t.loop); n != nil {
		return n
	}
	for called := range t.p.Reached(t.p.EdgesIn(t.fn, t.loop)) {
		if n := t.letsIn(called, called.Decl.Body); n != nil {
			return n
		}
	}
	return nil
}

func (t *tally) letsIn(fn *prove.Function, part ast.Node) ast.Node {
	info := fn.Info()
	for n := range code.All[ast.Node](part) {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if prove.OthersRange(info, n) {
				return n
			}
		case *ast.CallExpr:
			var decl *prove.Function
			if target := code.Callee(info, n); target != nil && !code.IsInterfaceMethod(target) {
				decl = t.p.Function(target)
			}
			if decl == nil && !t.p.Harmless(info, n) {
				return n
			}
		}
		if code.ByChannel(info, n) {
			return n
		}
	}
	return nil
}

// null argues that the slice is nil where it was nil before.
func (t *tally) null() (model.Obligation, *prove.Reason) {
	o := model.Obligation{Text: types.ExprString(t.to) + " is nil where it was nil before", How: "proven", Why: "it is made empty, and not nil"}
	if t.short != nil {
		return o, nil
	}
	made := *t.growing
	seen := "it was there before"
	if !t.shared(t.to) && made.find(t.add) {
		if made.value != nil {
			return o, nil
		}
		if v := code.Var(t.fn.Info(), t.to); v != nil {
			seen = outside(t.p.FlowOf(t.fn, v))
		}
	}
	if seen == "" {
		o.Why = "nothing can tell nil from empty"
		return o, nil
	}
	if !t.steady() {
		return o, prove.Refuse("it must stay nil where nothing is added (" + seen + "), and " + t.fewer)
	}
	if n := t.busy(); n != nil {
		return o, prove.Refuse("it must stay nil where nothing is added (" + seen + "), and the loop may change what it adds at " + t.p.Pos(n.Pos()).String())
	}
	o.Why = "it grows only if something is then added, as nothing in the loop can change that"
	return o, nil
}

// startsAt notes the one statement that adds to a variable of the function: the slice can be made there.
func (t *tally) startsAt() bool {
	v := code.Var(t.fn.Info(), t.to)
	if a, ok := t.add.(*ast.AssignStmt); ok && code.Local(v) && !t.shared(t.to) && len(t.adds(t.loop)) == 1 && code.StmtList(t.fn.File.Parent(a)) != nil {
		t.starts = []*ast.AssignStmt{a}
	}
	return t.starts != nil
}

// startText makes the slice where it is nil and something is added.
func (t *tally) startText(size string) string {
	some := ""
	if a, _ := additionIn(t.fn.Info(), t.starts[0]); a.spread != nil {
		some = " && len(" + t.p.Source(t.fn.File, a.spread) + ") > 0"
	}
	return fmt.Sprintf("if %[1]s == nil%[2]s {\n\t%[1]s = make(%[3]s, 0, %[4]s)\n}\n", types.ExprString(t.to), some, t.p.TypeText(t.fn, t.typ, t.typed), size)
}

// steady reports whether each iteration adds what is counted, and at most more.
func (t *tally) steady() bool {
	return t.ends() == "" && !slices.ContainsFunc(t.parts, func(one part) bool { return one.stmt != nil && !one.sure && !t.spreads(one) })
}

// spreads reports whether a part is all of another slice.
func (t *tally) spreads(one part) bool {
	a, ok := additionIn(t.fn.Info(), one.stmt)
	return ok && a.spread != nil
}

// busy returns what may change the lengths while the loop runs: a call, or something that is stored in other than a
// variable of an iteration. It is nil if nothing does. What is added goes behind the end of the slice.
func (t *tally) busy() ast.Node {
	info := t.fn.Info()
	for n := range code.All[ast.Node](t.loop.Body) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n
		case *ast.CallExpr:
			switch b := code.Builtin(info, n); {
			case info.Types[n.Fun].IsType(), b == "len", b == "cap", b == "min", b == "max", b == "make", b == "new":
			case b == "append" && t.names(n.Args[0]):
			default:
				return n
			}
		}
		for _, l := range code.Assigned(n) {
			if v := code.Var(info, l); !t.names(l) && (v == nil || !code.Declares(t.loop.Body, v) || code.AddressTaken(info, t.fn.Decl.Body, v)) {
				return n
			}
		}
	}
	return nil
}
