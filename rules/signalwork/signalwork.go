// Package signalwork finds programs that do not listen to a second signal while they
// work on the first.
package signalwork

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "signalwork",
	Title: "slow work where a signal was received, deaf to the next",
	IDs:   []string{"C47"}, Seeds: []string{"001"},
	Tier: rule.Special, Fix: rule.B,
	Why: "While the program cleans up, a second signal waits in the channel and a third is dropped: somebody who asks twice is not heard, and has to " +
		"kill the process. After signal.Stop, or Reset, the second ends it as it would any program.",
	WhenNot: "Nothing slow follows: a context is cancelled, a channel closed. The channel is read again, in a select or by another goroutine. " +
		"signal.NotifyContext is used, and its stop called first.",
	Gap: "The fix lets the second signal end the process in the midst of the clean-up, without its defers: that is what asking twice means. What is " +
		"called may be quick; the rule does not know how long it takes.",
	Signature: "none in a profile: a process that does not end when asked twice",
	Evidence: &rule.Evidence{
		Exempt: "what is lost is the patience of somebody who asks twice, not time of the program",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("os/signal", "Notify") {
		v := code.Var(p.TypesInfo, call.Args[0])
		if v == nil || !code.Local(v) || !ends(call) {
			continue
		}
		if param := handed(p, cur, v); param != nil {
			v = param
		}
		if recv, ok := only(p, cur, v); ok {
			report(p, call, recv, true)
		}
		for recv := range returned(p, v) {
			report(p, call, recv, false)
		}
	}
}

// returned yields the receives from the channel at the calls of the function that makes
// it and returns it, and uses it for nothing else.
func returned(p *rule.Pass, v *types.Var) iter.Seq[inspector.Cursor] {
	return func(yield func(inspector.Cursor) bool) {
		for _, use := range p.Index.Uses(v) {
			_, f := code.Decl(p.TypesInfo, use)
			if _, ok := use.Parent().Node().(*ast.ReturnStmt); !ok || f == nil || len(p.Index.Uses(v)) != 2 {
				continue
			}
			for at := range p.Index.CallsOf(f) {
				at, _ := code.Sole(p.Index, p.TypesInfo, at)
				recv, ok := at.Parent().Node().(*ast.UnaryExpr)
				if _, loop := code.Loop(at); ok && recv.Op == token.ARROW && !loop && !yield(at.Parent()) {
					return
				}
			}
		}
	}
}

// handed returns the parameter of a function of the package that gets the channel, where
// that is the only other use of it and the function has no other caller.
func handed(p *rule.Pass, notify inspector.Cursor, v *types.Var) *types.Var {
	for _, use := range p.Index.Uses(v) {
		call, ok := use.Parent().Node().(*ast.CallExpr)
		if !ok || call == notify.Node() || use.ParentEdgeKind() != edge.CallExpr_Args || len(p.Index.Uses(v)) != 2 {
			continue
		}
		f := code.Callee(p.TypesInfo, call)
		if p.Index.Decl(f) != nil && len(p.Index.Uses(f)) == 1 && use.ParentEdgeIndex() < f.Signature().Params().Len() {
			return f.Signature().Params().At(use.ParentEdgeIndex())
		}
	}
	return nil
}

// ends reports whether signals that end a program are asked for: by name, or all.
func ends(call *ast.CallExpr) bool {
	return len(call.Args) == 1 || slices.ContainsFunc(call.Args[1:], func(x ast.Expr) bool {
		sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
		return ok && slices.Contains([]string{"Interrupt", "SIGINT", "SIGTERM", "SIGQUIT"}, sel.Sel.Name)
	})
}

// only returns the receive that is the only other use of the channel.
func only(p *rule.Pass, notify inspector.Cursor, v *types.Var) (recv inspector.Cursor, ok bool) {
	for _, use := range p.Index.Uses(v) {
		if code.Within(notify.Node(), use.Node()) {
			continue
		}
		x, is := use.Parent().Node().(*ast.UnaryExpr)
		if ok || !is || x.Op != token.ARROW {
			return recv, false
		}
		recv, ok = use.Parent(), true
	}
	if _, loop := code.Loop(recv); !ok || loop {
		return recv, false
	}
	return recv, true
}

// report reports a receive with work after it. The channel has a name there if it is here.
func report(p *rule.Pass, notify *ast.CallExpr, recv inspector.Cursor, here bool) {
	stmt, ok := code.Stmt(recv)
	if !ok || recv.ParentEdgeKind() == edge.CommClause_Comm {
		return
	}
	rest := code.Following(stmt)
	work := slow(p, rest)
	sel, qualified := ast.Unparen(notify.Fun).(*ast.SelectorExpr)
	if work == nil || !qualified {
		return
	}
	stop := p.Source(sel.X) + ".Stop(" + p.Source(notify.Args[0]) + ")"
	f := rule.Finding{
		Pos: recv.Node().Pos(), End: recv.Node().End(),
		Message: "after the first signal, what follows works on without listening to a second; " + stop + " lets that end the process",
		Related: []analysis.RelatedInformation{{Pos: work.Pos(), End: work.End(), Message: "work begins here"}},
	}
	if here {
		f.Fixes = []analysis.SuggestedFix{{
			Message:   "Let a second signal end the process",
			TextEdits: []analysis.TextEdit{{Pos: stmt.Node().End(), End: stmt.Node().End(), NewText: []byte("\n" + stop)}},
		}}
	}
	p.Report(f)
}

// slow returns the first call after a receive that does more than say so, or nil.
// Code that stops listening is heard.
func slow(p *rule.Pass, rest []ast.Stmt) *ast.CallExpr {
	for _, s := range rest {
		found := code.Here(s, func(call *ast.CallExpr) bool { return !quick(p, call) })
		if found == nil {
			continue
		}
		if f := code.Callee(p.TypesInfo, found); f != nil && f.Pkg() != nil && f.Pkg().Path() == "os/signal" {
			return nil
		}
		return found
	}
	return nil
}

// quick reports whether a call only says something, tells others to stop, or ends.
func quick(p *rule.Pass, call *ast.CallExpr) bool {
	if code.Builtin(p.TypesInfo, call) != "" || p.TypesInfo.Types[call.Fun].IsType() || !code.MayReturn(p.TypesInfo, call) {
		return true
	}
	f := code.Callee(p.TypesInfo, call)
	if f == nil {
		v := code.Named(p.TypesInfo, call.Fun) // cancel()
		return v != nil && code.IsNamed(v.Type(), "context", "CancelFunc")
	}
	return f.Pkg() == nil || slices.Contains([]string{"fmt", "log", "log/slog", "context", "sync/atomic", "os", "time"}, f.Pkg().Path()) && !slices.Contains([]string{"time.Sleep", "(*os.File).Sync", "os.RemoveAll"}, f.FullName()) ||
		strings.HasPrefix(f.Name(), "Print") || slices.Contains([]string{"Debug", "Info", "Infof", "Warn", "Warnf", "Error", "Errorf", "String", "Cancel"}, f.Name())
}
