// Package tempbuffer finds large buffers that live for one call.
package tempbuffer

import (
	"fmt"
	"go/ast"
	"go/types"

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

// least is the size from which a pool pays, and limit the one up to which a slice may be
// on the stack (cmd/compile/internal/ir).
const (
	least = 1 << 10
	limit = 64 << 10
)

func run(p *rule.Pass) {
	funcs, eff := flow.Funcs{}, p.ResultOf[effects.Analyzer].(*effects.Effects)
	calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
	for cur := range p.Index.Inspect.Root().Preorder((*ast.DeclStmt)(nil), (*ast.AssignStmt)(nil)) {
		name, _, value := code.Declared(cur.Node().(ast.Stmt))
		size := made(p, value)
		if size < least {
			continue
		}
		_, inLoop := code.Loop(cur)
		_, fn := code.Decl(p.TypesInfo, cur)
		v, _ := p.TypesInfo.Defs[name].(*types.Var)
		if v == nil || inLoop || calls.OnlyAtStart(fn) {
			continue
		}
		fl := flow.Of(funcs.Around(p.TypesInfo, cur), eff.Source(), v)
		if fl.Outlives() || size <= limit && len(fl.Calls) == 0 {
			continue
		}
		p.Report(rule.Finding{
			Pos: value.Pos(), End: value.End(),
			Message: fmt.Sprintf("%s, of %d bytes, is made and dropped on each call: a sync.Pool keeps such buffers", name.Name, size),
		})
	}
}

// made returns the size of what make([]T, n) with a constant n allocates; 0 for anything
// else.
func made(p *rule.Pass, x ast.Expr) int64 {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) < 2 || !code.IsBuiltin(p.TypesInfo, call, "make") {
		return 0
	}
	s, ok := p.TypesInfo.TypeOf(call).Underlying().(*types.Slice)
	n, constant := code.Int(p.TypesInfo, call.Args[len(call.Args)-1])
	if !ok || !constant {
		return 0
	}
	return n * code.Size(p.TypesSizes, s.Elem())
}
