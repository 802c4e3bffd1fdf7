// Package lookpath finds searches of PATH that are made again and again.
package lookpath

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "lookpath",
	Title: "PATH is searched again and again",
	IDs:   []string{"C65"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.N,
	Why: "Each search splits PATH and asks the system once for each directory, until one has the command. Who looks for many commands can keep what was " +
		"found, by name, or read the directories once.",
	WhenNot: "PATH, the working directory or the directories change in between. The command that was found is run each time: starting it costs a hundred " +
		"times as much, and exec.Command alone is not reported. The loop tries the alternatives for one command and ends with the first. What was found is kept.",
	Gap: "What is kept must be dropped when PATH changes, and finds no command that is installed later. A directory may hold what is no executable: an " +
		"index has to ask for the mode as LookPath does, and the first directory of PATH wins. There is no fix: a map of what was found gains nothing where " +
		"each name comes once, and the code does not show whether names come again.",
	Signature: "os/exec.LookPath above os.Stat and syscall.fstatat in CPU profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkMissing", Metric: "cpu",
		Claimed: "searching PATH for each command reads and splits it anew and asks each directory again, for commands that were found before, too",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	s := search{p, p.ResultOf[callers.Analyzer].(*callers.Callers)}
	for cur, call := range p.Index.Calls("os/exec", "LookPath") {
		s.report(cur, call, "exec.LookPath asks for the command in each directory of PATH")
	}
	for cur, call := range p.Index.Calls("path/filepath", "SplitList") {
		s.split(cur, call)
	}
	for cur, call := range p.Index.Calls("strings", "Split") {
		if code.Worded(call, "PathListSeparator") {
			s.split(cur, call)
		}
	}
}

func (s search) split(cur inspector.Cursor, call *ast.CallExpr) {
	if s.probes(cur) {
		s.report(cur, call, "a list of directories is split, and each is asked for a file")
	}
}

type search struct {
	p     *rule.Pass
	calls *callers.Callers
}

func (s search) report(cur inspector.Cursor, call *ast.CallExpr, what string) {
	if s.changes(cur) || code.Memoized(s.p.TypesInfo, cur) {
		return
	}
	f := rule.Finding{Pos: call.Pos(), End: call.End(), Message: what + ", in each iteration"}
	if loop, ok := code.Loop(cur); !ok || first(s.p, loop) {
		_, decl := code.Decl(s.p.TypesInfo, cur)
		if decl == nil || s.calls.OnlyAtStart(decl) && !s.calls.InLoop(decl).Holds {
			return
		}
		f.Message = what
		s.calls.Often(&f, decl)
	}
	s.p.Report(f)
}

// changes reports whether the function sets the environment or the working
// directory, so that each search may find something else, or starts a command, which
// takes far longer.
func (s search) changes(cur inspector.Cursor) bool {
	fd, _ := code.Decl(s.p.TypesInfo, cur)
	return fd != nil && code.Any(fd, func(call *ast.CallExpr) bool {
		f := code.Callee(s.p.TypesInfo, call)
		if f == nil {
			return false
		}
		switch code.FullName(f) {
		case "os.Setenv", "os.Chdir", "os.Clearenv", "os/exec.Command", "os/exec.CommandContext", "os.StartProcess":
			return true
		}
		return false
	})
}

// first reports whether a loop leaves when it has found something: it tries the
// names that one command may have. To leave for an error is no such thing.
func first(p *rule.Pass, loop inspector.Cursor) bool {
	return code.Here(code.Body(loop.Node()), func(n ast.Stmt) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			return !code.ReturnsError(p.TypesInfo, n) && !failed(p, loop, n)
		case *ast.BranchStmt:
			return n.Tok == token.BREAK
		}
		return false
	}) != nil
}

// failed reports whether a statement of a loop runs where an error is not nil.
func failed(p *rule.Pass, loop inspector.Cursor, stmt ast.Stmt) bool {
	return code.Any(loop.Node(), func(n *ast.IfStmt) bool {
		cmp, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
		return ok && cmp.Op == token.NEQ && code.IsNil(p.TypesInfo, cmp.Y) && code.IsError(p.TypesInfo.TypeOf(cmp.X)) && code.Within(n.Body, stmt)
	})
}

// probes reports whether the function that splits a list of directories asks the
// system for a file in each.
func (s search) probes(cur inspector.Cursor) bool {
	fn, ok := code.Func(cur)
	if !ok {
		return false
	}
	return code.Any(fn.Node(), func(loop *ast.RangeStmt) bool {
		return code.Here(loop.Body, func(call *ast.CallExpr) bool {
			return code.IsFunc(s.p.TypesInfo, call, "os", "Stat") || code.IsFunc(s.p.TypesInfo, call, "os", "Lstat") ||
				code.IsFunc(s.p.TypesInfo, call, "os", "Open")
		}) != nil
	})
}
