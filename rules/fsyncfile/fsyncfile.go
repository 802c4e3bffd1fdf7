// Package fsyncfile finds files that are synced one by one.
package fsyncfile

import (
	"go/ast"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "fsyncfile",
	Title: "each of many files is synced by itself",
	IDs:   []string{"C66"}, Seeds: []string{"000"},
	Tier: rule.Special, Fix: rule.N,
	Why: "A sync waits until the disk has written: milliseconds, in which nothing else of the loop happens. Files that are safe together can be written " +
		"first and synced then, several at a time, so that the disk takes them in one go.",
	WhenNot: "Each file has to be safe before the next one is begun, as in a log of what was done. The loop serves requests or waits for a timer, and " +
		"syncs what has come in between.",
	Gap: "What must not be lost, and when, only the author knows. A rename that makes a file visible has to come after its sync, and a directory needs " +
		"a sync of its own after it.",
	Signature: "os.(*File).Sync in execution traces, as system calls that last milliseconds, and in block time",
	Evidence: &rule.Evidence{
		Exempt: "what a sync takes is the disk's affair, and temporary directories are often in memory",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for cur, call := range p.Index.Method("os", "File", "Sync") {
		f := rule.Finding{Pos: call.Pos(), End: call.End(), Message: "Sync of one file waits for the disk, in each iteration; files that are safe together can be synced together"}
		loop, ok := code.Loop(cur)
		if ok {
			if serves(loop.Node()) || code.Waits(p.TypesInfo, loop.Node()) {
				continue
			}
		} else {
			_, decl := code.Decl(p.TypesInfo, cur)
			if decl == nil || code.Later(cur) {
				continue
			}
			often := calls.InLoop(decl)
			f.If, f.Message = []rule.Condition{often}, "Sync of one file waits for the disk; files that are safe together can be synced together"+callers.Known(decl, often)
		}
		p.Report(f)
	}
}

// serves reports whether a loop goes on until it is told to end.
func serves(loop ast.Node) bool {
	f, ok := loop.(*ast.ForStmt)
	return ok && f.Cond == nil
}
