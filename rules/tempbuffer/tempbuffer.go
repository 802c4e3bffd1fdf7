// Package tempbuffer finds large buffers that live for one call.
package tempbuffer

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "tempbuffer",
	Title: "large buffer made and dropped on each call",
	IDs:   []string{"C04"}, Seeds: []string{"000", "001", "004"},
	Tier: rule.Profiled, Fix: rule.N, Escapes: true,
	Why: "Memory of some kilobytes that lives for one call is allocated and cleared on each, and feeds the collector. A sync.Pool of pointers to such " +
		"buffers keeps it.",
	WhenNot: "The buffer has less than a kilobyte, somebody keeps a part of it, or the function runs only at the start. Up to 64 KiB stay on the stack, " +
		"where nobody unknown is given the buffer.",
	Gap: "A buffer from a pool is not zero: what reads beyond what was written sees old data. It goes back on every path, and not while somebody uses " +
		"it. pawl optimize makes the pool where a benchmark runs the call, by the transformation pool. The rule has no " +
		"fix of its own, because a pool gains nothing where calls are rare: the garbage collector empties it in between. Buffers of variable size, and those in loops, " +
		"are the matter of the rule scratch.",
	Signature: "runtime.mallocgc and runtime.memclrNoHeapPointers below the line, in CPU and alloc_space profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkLines", Metric: "cpu",
		Claimed: "a buffer of 64 KiB from a pool instead of a new one takes an eighth of the time", Ratio: 8,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer, effects.Analyzer)

// least is the size from which a finding is worth it without a profile, and limit the one up to which a slice may be
// on the stack (cmd/compile/internal/ir).
const (
	least = 1 << 10
	limit = 64 << 10
)

func run(p *rule.Pass) {
	if slices.ContainsFunc(p.Files, func(f *ast.File) bool { return testKit(p, f) }) {
		return // what tests call is not worth a pool
	}
	funcs, eff := flow.Funcs{}, p.ResultOf[effects.Analyzer].(*effects.Effects)
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	report := func(cur inspector.Cursor, size int64, follow func(*flow.Func, flow.Source, inspector.Cursor) (*flow.Flow, string)) {
		_, inLoop := code.Loop(cur)
		_, fn := code.Decl(p.TypesInfo, cur)
		if _, inside := code.Func(cur); size < least || !inside || inLoop || calls.OnlyAtStart(fn) {
			return
		}
		fl, what := follow(funcs.Around(p.TypesInfo, cur), eff.Source(), cur)
		if fl == nil || fl.Outlives() || size <= limit && len(fl.Calls) == 0 {
			return
		}
		p.Report(rule.Finding{
			Pos: cur.Node().Pos(), End: cur.Node().End(),
			Message: fmt.Sprintf("%s, of %d bytes, is made and dropped on each call: a sync.Pool keeps such buffers", what, size),
		})
	}
	for cur, call := range p.Index.CallsOf(types.Universe.Lookup("make")) {
		report(cur, made(p, call), followed)
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.DeclStmt)(nil)) {
		if name, _, value := code.Declared(cur.Node().(ast.Stmt)); name != nil && value == nil {
			if a, ok := p.TypesInfo.TypeOf(name).Underlying().(*types.Array); ok {
				report(cur, code.Size(p.TypesSizes, a), sliced)
			}
		}
	}
}

// testKit reports whether a file that is no test imports package testing.
func testKit(p *rule.Pass, f *ast.File) bool {
	return !p.IsTest(f.Pos()) && slices.ContainsFunc(f.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"testing"` })
}

// sliced returns where the slices of an array go that is declared at cur; nil where it has
// other uses than those, and its elements.
func sliced(fn *flow.Func, known flow.Source, cur inspector.Cursor) (*flow.Flow, string) {
	name, _, _ := code.Declared(cur.Node().(ast.Stmt))
	fl, only := &flow.Flow{Func: fn, Source: known}, true
	fl.Uses(fn.Info.Defs[name], func(id *ast.Ident) {
		switch up := fl.Parent(id).(type) {
		case *ast.SliceExpr:
			fl.Expr(up)
		case *ast.IndexExpr:
			only = only && up.X == id
		case *ast.CallExpr:
			only = only && code.Builtin(fn.Info, up) == "len"
		default:
			only = false
		}
	})
	fl.Drain()
	if !only {
		return nil, ""
	}
	return fl, name.Name
}

// followed returns where a buffer goes that is made at cur and has a name, or is the argument
// of a call; nil for others.
func followed(fn *flow.Func, known flow.Source, cur inspector.Cursor) (fl *flow.Flow, what string) {
	if up, ok := cur.Parent().Node().(*ast.CallExpr); ok {
		fl = &flow.Flow{Func: fn, Source: known}
		fl.Argument(up, cur.Node().(ast.Expr))
		fl.Drain()
		return fl, "a buffer"
	}
	stmt, ok := code.Stmt(cur)
	if !ok {
		return nil, ""
	}
	name, _, value := code.Declared(stmt.Node().(ast.Stmt))
	if value == nil || ast.Unparen(value) != cur.Node() {
		return nil, ""
	}
	v, _ := fn.Info.Defs[name].(*types.Var)
	if v == nil {
		return nil, ""
	}
	return flow.Of(fn, known, v), name.Name
}

// made returns the size of what make([]T, n) with a constant n allocates; 0 for anything
// else.
func made(p *rule.Pass, call *ast.CallExpr) int64 {
	s, ok := p.TypesInfo.TypeOf(call).Underlying().(*types.Slice)
	n, constant := code.Int(p.TypesInfo, call.Args[len(call.Args)-1])
	if !ok || !constant || len(call.Args) < 2 {
		return 0
	}
	return n * code.Size(p.TypesSizes, s.Elem())
}
