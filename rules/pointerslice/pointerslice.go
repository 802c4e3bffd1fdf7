// Package pointerslice finds slices whose elements are allocated one by one.
package pointerslice

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "pointerslice",
	Title: "slice of pointers whose elements are allocated one by one",
	IDs:   []string{"C29"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "Each element is an allocation of its own, the collector follows each pointer, and a walk over the slice jumps through memory. Values lie side " +
		"by side in one allocation.",
	WhenNot: "Elements have more than 128 bytes, are of another package, hold a lock, can be nil, are told apart by identity, or are changed through several holders.",
	Gap: "Who takes the pointers from the slice is not looked at: change its type only where nobody compares or keeps them. pawl optimize keeps the " +
		"type and takes the elements from one allocation (backing-array), where a benchmark runs the loop.",
	Signature: "one allocation for each element in alloc_objects profiles; a flat loop that is slow for what it does in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkSum", Metric: "allocs",
		Claimed: "a slice of values has one allocation, one of pointers has one for each element",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, effects.Analyzer)

// large is the size from which moving values costs more than following pointers.
const large = 128

func run(p *rule.Pass) {
	known := p.ResultOf[effects.Analyzer].(*effects.Effects).Source()
	for cur := range p.Index.Inspect.Root().Preorder((*ast.AssignStmt)(nil)) {
		loop, inLoop := code.Loop(cur)
		fn, ok := code.Func(cur)
		x := element(p.TypesInfo, cur)
		if !inLoop || !ok || x == nil {
			continue
		}
		made, t := code.Fresh(p.Index, p.TypesInfo, fn.Node(), x)
		if made == nil || !code.Within(loop.Node(), made) || foreign(p, t) || code.Size(p.TypesSizes, t) > large || code.Locks(t) || held(p, known, cur.Node(), x) {
			continue
		}
		name := types.TypeString(t, types.RelativeTo(p.Pkg))
		p.Report(rule.Finding{
			Pos: made.Pos(), End: made.End(),
			Message: fmt.Sprintf("each element is a %s of its own on the heap: a []%s holds the values in one allocation", name, name),
		})
	}
}

// held reports whether something other than the slice gets the pointer in a variable too:
// a map, a result, a function of the package that keeps it.
func held(p *rule.Pass, known flow.Source, stmt ast.Node, x ast.Expr) bool {
	if addr, ok := ast.Unparen(x).(*ast.UnaryExpr); ok {
		x = addr.X
	}
	v := code.Var(p.TypesInfo, x)
	if v == nil {
		return false
	}
	for _, use := range p.Index.Uses(v) {
		if use.ParentEdgeKind() == edge.UnaryExpr_X {
			use = use.Parent()
		}
		if _, value := p.TypesInfo.TypeOf(use.Node().(ast.Expr)).Underlying().(*types.Pointer); value && !code.Within(stmt, use.Node()) && holds(p, known, use) {
			return true
		}
	}
	return false
}

// holds reports whether a use of a pointer makes another holder of it.
func holds(p *rule.Pass, known flow.Source, use inspector.Cursor) bool {
	switch use.ParentEdgeKind() {
	case edge.AssignStmt_Rhs, edge.KeyValueExpr_Value, edge.CompositeLit_Elts, edge.SendStmt_Value, edge.ReturnStmt_Results, edge.IndexExpr_Index:
		return true
	case edge.CallExpr_Args:
		call := use.Parent().Node().(*ast.CallExpr)
		f := code.Callee(p.TypesInfo, call)
		if p.Index.Decl(f) == nil {
			return code.IsBuiltin(p.TypesInfo, call, "append")
		}
		at, last := use.ParentEdgeIndex(), f.Signature().Params().Len()-1
		return known.Call(f, min(at, last), f.Signature().Variadic() && at >= last).Keeps != ""
	}
	return false
}

// foreign reports whether another package declares a type: its functions want the slice as
// it is.
func foreign(p *rule.Pass, t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != p.Pkg
}

// element returns the pointer that a statement makes the element of a slice, as in
// s = append(s, x) and s[i] = x; nil for other statements.
func element(info *types.Info, cur inspector.Cursor) ast.Expr {
	as := cur.Node().(*ast.AssignStmt)
	if len(as.Lhs) != 1 || len(as.Rhs) != 1 {
		return nil
	}
	if call, ok := as.Rhs[0].(*ast.CallExpr); ok && len(call.Args) == 2 && code.IsBuiltin(info, call, "append") &&
		code.SameVariable(info, as.Lhs[0], call.Args[0]) && pointers(info.TypeOf(call)) {
		return call.Args[1]
	}
	if at, ok := ast.Unparen(as.Lhs[0]).(*ast.IndexExpr); ok && pointers(info.TypeOf(at.X)) {
		return as.Rhs[0]
	}
	return nil
}

func pointers(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	_, ok = s.Elem().Underlying().(*types.Pointer)
	return ok
}
