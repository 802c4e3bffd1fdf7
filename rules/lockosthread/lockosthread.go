// Package lockosthread finds goroutines that are locked to a thread although
// nothing they call needs one.
package lockosthread

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "lockosthread",
	Title: "goroutine locked to a thread for no reason",
	IDs:   []string{"C46"}, Seeds: []string{"001", "004"},
	Tier: rule.Special, Fix: rule.B,
	Why: "A locked goroutine runs on its thread only, and the thread runs nothing else. Each time the goroutine waits and goes on, the work passes " +
		"from thread to thread through the kernel.",
	WhenNot: "Anything that can be called may care for the thread: cgo, system calls, files and the network, function values and methods of interfaces, " +
		"functions of other modules, assembly. A lock without unlock ends the thread with the goroutine, and one in init or main keeps the main thread.",
	Gap: "The cost is in the waiting: a locked goroutine that only computes loses next to nothing, and around a short C call the lock is a fifth of " +
		"the time. The rule cannot tell C functions without state from others, so it never reports cgo.",
	Signature: "runtime.stoplockedm and runtime.startlockedm with futex in CPU profiles; a thread per goroutine",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkSquares", Metric: "cpu",
		Claimed: "a worker that is locked to its thread takes 1.85 times as long", Ratio: 1.85,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	if p.Index.Object("runtime", "UnlockOSThread") == nil {
		return
	}
	var r *reader
	for cur, call := range p.Index.Calls("runtime", "LockOSThread") {
		if r == nil {
			r = newReader(p)
		}
		if fd, _ := code.Decl(p.TypesInfo, cur); fd == nil || fd.Recv == nil && (fd.Name.Name == "init" || fd.Name.Name == "main") {
			continue
		}
		fn, ok := code.Func(cur)
		if !ok || !r.free(code.FuncBody(fn.Node())) {
			continue
		}
		stmts, ok := pair(p, cur, fn.Node())
		if !ok {
			continue
		}
		p.Report(rule.Finding{
			Pos: call.Pos(), End: call.End(), Hot: fn.Node(),
			Message: "runtime.LockOSThread, but nothing that is called here cares for the thread: each wait passes the work from thread to thread",
			Fixes:   remove(p, call, stmts),
		})
	}
}

// pair returns the statements that lock and unlock, if the function has one
// lock and at least one unlock, and all are statements of their own.
func pair(p *rule.Pass, lock inspector.Cursor, fn ast.Node) ([]ast.Stmt, bool) {
	var stmts []ast.Stmt
	unlocks := 0
	for _, name := range []string{"LockOSThread", "UnlockOSThread"} {
		for cur := range p.Index.Calls("runtime", name) {
			if !code.Within(fn, cur.Node()) {
				continue
			}
			if in, ok := code.Func(cur); !ok || in.Node() != fn {
				return nil, false // in a literal, which may run elsewhere
			}
			if name == "LockOSThread" && cur.Node() != lock.Node() {
				return nil, false
			}
			if name == "UnlockOSThread" {
				unlocks++
			}
			switch s := cur.Parent().Node().(type) {
			case *ast.ExprStmt:
				stmts = append(stmts, s)
			case *ast.DeferStmt:
				stmts = append(stmts, s)
			default:
				return nil, false
			}
		}
	}
	return stmts, unlocks > 0
}

// remove returns the fix that deletes the statements, and the import if
// nothing else needs it.
func remove(p *rule.Pass, call *ast.CallExpr, stmts []ast.Stmt) []analysis.SuggestedFix {
	var gone []ast.Node
	for _, s := range stmts {
		gone = append(gone, s)
	}
	return code.Fix("Let the goroutine run on any thread", code.Remove(p, "runtime", gone...)...)
}
