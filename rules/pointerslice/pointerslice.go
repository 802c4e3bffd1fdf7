// Package pointerslice finds slices whose elements are allocated one by one.
package pointerslice

import (
	"embed"
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

//go:embed testdata/evidence
var evidence embed.FS

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "pointerslice",
	Title: "slice of pointers whose elements are allocated one by one",
	IDs:   []string{"C29"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "Each element is an allocation of its own, the collector follows each pointer, and a walk over the slice jumps through memory. Values lie side " +
		"by side in one allocation.",
	WhenNot: "Elements have more than 128 bytes, are of another package, hold a lock, can be nil, are told apart by identity, or are changed through several holders.",
	Gap: "Who else holds the pointers is not looked at: change the type of the slice only where nobody compares or keeps them. pawl optimize keeps the " +
		"type and takes the elements from one allocation (backing-array), where a benchmark runs the loop.",
	Signature: "one allocation for each element in alloc_objects profiles; a flat loop that is slow for what it does in CPU profiles",
	Evidence: &rule.Evidence{
		Files: evidence, Bench: "BenchmarkSum", Metric: "allocs",
		Claimed: "a slice of values has one allocation, one of pointers has one for each element",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// large is the size from which moving values costs more than following pointers.
const large = 128

func run(p *rule.Pass) error {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.AssignStmt)(nil)) {
		loop, inLoop := code.Loop(cur)
		fn, ok := code.Func(cur)
		x := element(p.TypesInfo, cur)
		if !inLoop || !ok || x == nil {
			continue
		}
		made, t := code.Fresh(p.Index, p.TypesInfo, fn.Node(), x)
		if made == nil || !code.Within(loop.Node(), made) || foreign(p, t) || code.Size(p.TypesSizes, t) > large || code.Locks(t) {
			continue
		}
		name := types.TypeString(t, types.RelativeTo(p.Pkg))
		p.Report(rule.Finding{
			Pos: made.Pos(), End: made.End(),
			Message: fmt.Sprintf("each element is a %s of its own on the heap: a []%s holds the values in one allocation", name, name),
		})
	}
	return nil
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
