// Package lockio finds mutexes that are held while files or the network are waited for.
package lockio

import (
	"go/ast"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "lockio",
	Title: "a mutex is held across I/O",
	IDs:   []string{"C23"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "All who want the mutex wait for as long as the disk or the network takes. What the call needs can be copied first, and the mutex unlocked.",
	WhenNot: "The mutex guards what the I/O goes through: a file, a connection, a buffered writer. One call at a time is the point of it, as where " +
		"one result is kept for all; where results are kept by key, who asks for another key waits as well. It is locked for reading only. It happens at the start of the program only.",
	Gap: "Between the copy and the call the state may change, and two calls may overtake each other. A write after the call needs the mutex again, and a " +
		"look whether it still holds. There is no fix: whether others may change the state during the call is not written in the code. The rule sees I/O through " +
		"static calls.",
	Signature: "sync.(*Mutex).Unlock above the line in mutex profiles, sync.(*Mutex).Lock in block profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkCall", Metric: "wall",
		Claimed: "contention climbs quickly where a lock covers network or disk operations",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer, effects.Analyzer)

func run(p *rule.Pass) {
	l := &looker{p, p.ResultOf[effects.Analyzer].(*effects.Effects)}
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for _, typ := range []string{"Mutex", "RWMutex"} {
		for cur, call := range p.Index.Method("sync", typ, "Lock") {
			_, decl := code.Decl(p.TypesInfo, cur)
			stmt := cur.Parent()
			if _, ok := stmt.Node().(*ast.ExprStmt); !ok || calls.OnlyAtStart(decl) {
				continue
			}
			for _, s := range held(p, code.Following(stmt), call) {
				if io := l.slow(s); io != nil && !l.kept(io) {
					p.Report(rule.Finding{
						Pos: io.Pos(), End: io.End(), Hot: stmt.Parent().Node(),
						Message: "all who want " + p.Source(receiver(call)) + " wait while " + p.Source(io.Fun) + " waits for files or the network",
					})
					break
				}
			}
		}
	}
}

// receiver returns what a method is called on.
func receiver(call *ast.CallExpr) ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.X
	}
	return call.Fun
}

// held returns the statements up to the one that unlocks; with a deferred unlock,
// all.
func held(p *rule.Pass, rest []ast.Stmt, lock *ast.CallExpr) []ast.Stmt {
	for i, s := range rest {
		if expr, ok := s.(*ast.ExprStmt); ok {
			if call, ok := expr.X.(*ast.CallExpr); ok && unlocks(p, call, lock) {
				return rest[:i]
			}
		}
		if d, ok := s.(*ast.DeferStmt); ok && unlocks(p, d.Call, lock) {
			continue
		}
		if code.Here(s, func(call *ast.CallExpr) bool { return unlocks(p, call, lock) }) != nil && !deferred(s) {
			return rest[:i] // on some ways
		}
	}
	return rest
}

func deferred(s ast.Stmt) bool { _, ok := s.(*ast.DeferStmt); return ok }

func unlocks(p *rule.Pass, call, lock *ast.CallExpr) bool {
	f := code.Callee(p.TypesInfo, call)
	return f != nil && f.Name() == "Unlock" && code.SameVariable(p.TypesInfo, receiver(call), receiver(lock))
}

type looker struct {
	p   *rule.Pass
	eff *effects.Effects
}

// slow returns a call in a statement that waits for files or the network itself, in
// no literal, nor in a statement that runs at another time.
func (l *looker) slow(s ast.Node) *ast.CallExpr {
	switch s.(type) {
	case *ast.DeferStmt, *ast.GoStmt:
		return nil
	}
	return code.Here(s, func(call *ast.CallExpr) bool { return l.eff.Waits(l.p.Index, code.Callee(l.p.TypesInfo, call)) })
}

// kept reports whether the call runs only until its result is there for the others, or
// in a function that closes what the mutex is part of.
func (l *looker) kept(io *ast.CallExpr) bool {
	at, ok := l.p.Index.Inspect.Root().FindNode(io)
	if !ok || code.MemoizedOnce(l.p.TypesInfo, at) {
		return true
	}
	_, decl := code.Decl(l.p.TypesInfo, at)
	return decl != nil && strings.HasPrefix(strings.ToLower(decl.Name()), "close")
}
