// Package itemalloc finds objects that are made anew for each item that goes
// through a channel.
package itemalloc

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "itemalloc",
	Title: "object made for each item that goes through a channel",
	IDs:   []string{"C18"}, Seeds: []string{"001"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "What is sent through a channel is on the heap, and dropped at the other end. A sync.Pool, to which the last stage gives back what it is done " +
		"with, makes each object serve many items.",
	WhenNot: "The object is smaller than 32 bytes, or somebody keeps it: the last stage, several consumers, or the sender, by storing or returning it.",
	Gap: "Who receives is not looked at. An object that goes back has to be cleared first, and nobody may hold it then. Small objects may be sent by " +
		"value instead.",
	Signature: "one line with a large part of alloc_objects, above a channel send",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkPipeline", Metric: "allocs",
		Claimed: "a pool of events between the stages of a pipeline takes 75 times fewer allocations",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// least is the size from which a pool costs less than the allocation.
const least = 32

func run(p *rule.Pass) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.SendStmt)(nil)) {
		send := cur.Node().(*ast.SendStmt)
		loop, inLoop := code.Loop(cur)
		fn, ok := code.Func(cur)
		if !inLoop || !ok || code.LeavesLoop(cur) {
			continue
		}
		made, t := code.FreshOrNil(p.Index, p.TypesInfo, fn.Node(), send.Value)
		if made == nil || !code.Within(loop.Node(), made) || !code.Generic(t) && code.Size(p.TypesSizes, t) < least || kept(p, send) {
			continue
		}
		p.Report(rule.Finding{
			Pos: made.Pos(), End: made.End(),
			Message: fmt.Sprintf("a %s is allocated for each item that is sent: a sync.Pool, which the last stage gives back to, uses it again",
				types.TypeString(t, types.RelativeTo(p.Pkg))),
		})
	}
}

// kept reports whether the sender may hold on to what it sends.
func kept(p *rule.Pass, send *ast.SendStmt) bool {
	v := code.Var(p.TypesInfo, send.Value)
	return slices.ContainsFunc(p.Index.Uses(v), func(use inspector.Cursor) bool { return !code.Within(send, use.Node()) && keeps(p.TypesInfo, use) })
}

// keeps reports whether a use of a pointer stores, returns or sends it.
func keeps(info *types.Info, use inspector.Cursor) bool {
	switch n := use.Parent().Node().(type) {
	case *ast.SelectorExpr, *ast.StarExpr, *ast.BinaryExpr:
		return false
	case *ast.CallExpr:
		return code.IsBuiltin(info, n, "append")
	}
	return true
}
