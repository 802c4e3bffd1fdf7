// Package gosched finds runtime.Gosched in loops that compute.
package gosched

import (
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "gosched",
	Title: "runtime.Gosched in a loop that computes",
	IDs:   []string{"C51"}, Seeds: []string{"004"},
	Tier: rule.Special, Fix: rule.B,
	Why: "Since Go 1.14 the runtime preempts a goroutine that computes for long. Gosched puts it at the end of the global queue and enters the " +
		"scheduler, 0.1 to 0.2 µs each time. The gain is small: 1.05 times where 1.66 was claimed, within the spread of the samples. The rule is for " +
		"loops that yield in each turn, and for removing what misleads the reader.",
	WhenNot: "The loop waits for something: it has no end of its own, asks an atomic, a lock or a channel, or does nothing but yield. WebAssembly and " +
		"GOMAXPROCS(1), where yielding lets others run at all. Tests of scheduling.",
	Gap: "Others wait for up to 10 ms, until the runtime preempts, where they waited for the next Gosched. A call that sits behind a condition " +
		"with effects, or whose removal would leave a variable without use, is reported without a fix.",
	Signature: "runtime.goschedImpl, runtime.schedule and runtime.findRunnable in CPU profiles, below a function that computes",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkNorm", Metric: "cpu",
		Claimed: "yielding every 1,000 elements makes a computation take 1.66 times as long", Ratio: 1.66,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("runtime", "Gosched") {
		stmt, ok := cur.Parent().Node().(*ast.ExprStmt)
		if !ok || single(p, call.Pos()) {
			continue
		}
		loop, ok := code.Loop(cur)
		if !ok {
			inHelper(p, cur)
			continue
		}
		if !computes(p, loop.Node(), stmt) {
			continue
		}
		p.Report(rule.Finding{
			Pos: call.Pos(), End: call.End(), Hot: loop.Node(),
			Message: "runtime.Gosched in a loop that computes: the runtime preempts it when others wait",
			Fixes:   remove(p, cur, call, loop),
		})
	}
}

// inHelper reports the calls, in loops that compute, of a function that does nothing but
// yield, each time or under a condition.
func inHelper(p *rule.Pass, cur inspector.Cursor) {
	only := cur.Parent().Node()
	if i, ok := cur.Parent().Parent().Parent().Node().(*ast.IfStmt); ok && len(i.Body.List) == 1 && i.Else == nil && i.Init == nil {
		only = i
	}
	fn, ok := code.Func(cur)
	if !ok || !code.Alone(fn.Node(), only) {
		return
	}
	for at, call := range code.Calls(p.Index, p.TypesInfo, fn) {
		stmt, ok := at.Parent().Node().(*ast.ExprStmt)
		loop, in := code.Loop(at)
		if ok && in && !single(p, call.Pos()) && computes(p, loop.Node(), stmt) {
			p.Report(rule.Finding{
				Pos: call.Pos(), End: call.End(), Hot: loop.Node(),
				Message: p.Source(call.Fun) + " is runtime.Gosched in a loop that computes: the runtime preempts it when others wait",
			})
		}
	}
}

// single reports whether goroutines share one thread: in files for
// WebAssembly, and in packages that set GOMAXPROCS.
func single(p *rule.Pass, pos token.Pos) bool {
	for _, call := range p.Index.Calls("runtime", "GOMAXPROCS") {
		if n, ok := code.Int(p.TypesInfo, call.Args[0]); !ok || n == 1 {
			return true
		}
	}
	file := p.File(pos)
	name := strings.TrimSuffix(p.Fset.Position(pos).Filename, ".go")
	if strings.HasSuffix(name, "_js") || strings.HasSuffix(name, "_wasm") || strings.HasSuffix(name, "_wasip1") {
		return true
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() < file.Package && constraint.IsGoBuild(c.Text) && (strings.Contains(c.Text, "wasm") || strings.Contains(c.Text, "js")) {
				return true
			}
		}
	}
	return false
}

// computes reports whether a loop ends by itself, has work of its own, and
// neither waits nor asks for what another goroutine does.
func computes(p *rule.Pass, loop ast.Node, yield *ast.ExprStmt) bool {
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		switch p.TypesInfo.TypeOf(loop.X).Underlying().(type) {
		case *types.Chan, *types.Signature:
			return false
		}
	case *ast.ForStmt:
		if loop.Init == nil || loop.Cond == nil || loop.Post == nil {
			return false
		}
	}
	waits := code.Any(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.SelectStmt, *ast.SendStmt, *ast.GoStmt,
			*ast.ReturnStmt: // an early end is how loops that try end
			return true
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.BranchStmt:
			return n.Tok != token.CONTINUE
		case *ast.CallExpr:
			return n != yield.X && asks(p, n)
		}
		return false
	})
	return !waits && code.Any(loop, func(*ast.AssignStmt) bool { return true })
}

// asks reports whether a call may look at what other goroutines do: anything
// but builtins, conversions and functions of packages that only compute.
func asks(p *rule.Pass, call *ast.CallExpr) bool {
	if p.TypesInfo.Types[call.Fun].IsType() {
		return false
	}
	if _, ok := typeutil.Callee(p.TypesInfo, call).(*types.Builtin); ok {
		return false
	}
	f := typeutil.StaticCallee(p.TypesInfo, call)
	if f == nil || f.Pkg() == nil {
		return !code.Parametric(p.TypesInfo, call)
	}
	switch path := f.Pkg().Path(); path {
	case "math", "math/bits", "math/cmplx", "math/big", "strings", "strconv", "bytes", "unicode", "unicode/utf8", "hash/crc32", "hash/fnv", "encoding/binary",
		"crypto/sha256", "crypto/sha1", "crypto/md5", "crypto/sha512", "slices", "sort", "fmt", "encoding/json", "encoding/hex", "encoding/base64":
		return false
	}
	return f.Pkg() != p.Pkg || !plain(p, f)
}

// plain reports whether a function of the package has a body without calls of
// other packages' functions but math's, without channels and without literals.
func plain(p *rule.Pass, f *types.Func) bool {
	for _, file := range p.Files {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || p.TypesInfo.Defs[fd.Name] != f.Origin() || fd.Body == nil {
				continue
			}
			return !code.Any(fd.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit, *ast.SelectStmt, *ast.SendStmt, *ast.GoStmt:
					return true
				case *ast.UnaryExpr:
					return n.Op == token.ARROW
				case *ast.CallExpr:
					callee := typeutil.Callee(p.TypesInfo, n)
					_, builtin := callee.(*types.Builtin)
					return !builtin && !p.TypesInfo.Types[n.Fun].IsType() && (callee == nil || callee.Pkg() == nil || callee.Pkg().Path() != "math")
				}
				return false
			})
		}
	}
	return false
}

// remove returns the fix that deletes the call, with an if that holds nothing
// else.
func remove(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, loop inspector.Cursor) []analysis.SuggestedFix {
	var gone ast.Node = call
	var edits []analysis.TextEdit
	if i, ok := cur.Parent().Parent().Parent().Node().(*ast.IfStmt); ok && len(i.Body.List) == 1 && code.Within(i.Body, call) {
		if i.Init != nil || i.Else != nil || !operators(i.Cond) {
			return nil
		}
		if _, chained := cur.Parent().Parent().Parent().Parent().Node().(*ast.IfStmt); chained {
			return nil
		}
		gone = i
		if edits, ok = unused(p, i.Cond, i, loop.Node()); !ok {
			return nil
		}
	}
	return code.Fix("Leave yielding to the runtime", append(edits, code.Remove(p, "runtime", gone)...)...)
}

// operators reports whether an expression has names, constants and operators
// only, so that nothing is lost with it but a division by zero.
func operators(x ast.Expr) bool {
	return !code.Any(x, func(n ast.Expr) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr, *ast.ParenExpr, *ast.Ident, *ast.BasicLit:
			return false
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		}
		return true
	})
}

// unused returns the edits that keep the code compiling when the variables of
// a condition lose this use: the key of a range becomes blank. ok is false
// where another variable would be left without use.
func unused(p *rule.Pass, cond ast.Expr, gone, loop ast.Node) (edits []analysis.TextEdit, ok bool) {
	seen := map[*types.Var]bool{}
	ok = true
	ast.Inspect(cond, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			return true
		}
		v, _ := p.TypesInfo.Uses[id].(*types.Var)
		if !code.Local(v) || seen[v] || used(p, v, gone) {
			return true
		}
		seen[v] = true
		r, isRange := loop.(*ast.RangeStmt)
		if !isRange || r.Tok != token.DEFINE || r.Key == nil || p.TypesInfo.Defs[r.Key.(*ast.Ident)] != v {
			ok = false
			return false
		}
		if r.Value == nil {
			edits = append(edits, analysis.TextEdit{Pos: r.Key.Pos(), End: r.Range})
			return true
		}
		edits = append(edits, analysis.TextEdit{Pos: r.Key.Pos(), End: r.Key.End(), NewText: []byte("_")})
		return true
	})
	return edits, ok
}

// used reports whether a variable is read elsewhere than in a node.
// Parameters need no use.
func used(p *rule.Pass, v *types.Var, gone ast.Node) bool {
	if v.Kind() != types.LocalVar {
		return true
	}
	for _, cur := range p.Index.Uses(v) {
		if code.Within(gone, cur.Node()) {
			continue
		}
		if !slices.Contains(code.Assigned(cur.Parent().Node()), cur.Node().(ast.Expr)) {
			return true
		}
	}
	return false
}
