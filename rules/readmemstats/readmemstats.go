// Package readmemstats finds runtime.ReadMemStats on the way of a request or in
// a loop.
package readmemstats

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "readmemstats",
	Title: "runtime.ReadMemStats on a request path or in a loop",
	IDs:   []string{"C56"}, Seeds: []string{"004"},
	Tier: rule.Profiled, Fix: rule.B,
	Why: "ReadMemStats stops the world so that its numbers fit together, and every goroutine waits. runtime/metrics reads single numbers without " +
		"stopping anyone.",
	WhenNot: "The numbers are read once, at the end of a program or in a test. They have to fit together, such as allocations before and after. A field is " +
		"needed that no metric gives.",
	Gap: "Metrics read at one moment fit together less: counts that a thread keeps for itself are added up while it runs on. The fix is offered where " +
		"the variable is local and each field that is read has metrics with the same meaning. It allocates the samples on each call; a caller with " +
		"one goroutine can keep them.",
	Signature: "runtime.ReadMemStats above runtime.stopTheWorld in CPU profiles; /sched/pauses/total/other:seconds; “read mem stats” pauses in traces",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkHandle", Metric: "cpu",
		Claimed: "reading all memory statistics for each request stops the world for 2.8 ms; reading one metric takes 320 ns", Ratio: 8750,
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run, callers.Analyzer)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("runtime", "ReadMemStats") {
		f := rule.Finding{Pos: call.Pos(), End: call.End(), Message: "runtime.ReadMemStats stops the world"}
		_, decl := code.Decl(p.TypesInfo, cur)
		if code.Looped(p.Index, p.TypesInfo, cur) {
			f.Message = "runtime.ReadMemStats in a loop stops the world in each iteration"
		} else {
			calls := p.ResultOf[callers.Analyzer].(*callers.Callers)
			if calls.OnlyAtStart(decl) {
				continue
			}
			calls.Often(&f, decl)
		}
		if r := look(p, cur, call); r != nil {
			if edits := r.edits(); edits != nil {
				f.Fixes = []analysis.SuggestedFix{{Message: "Read runtime/metrics", TextEdits: edits}}
			}
		}
		p.Report(f)
	}
}

// sums gives the metrics whose sum is a field of MemStats.
var sums = map[string][]string{
	"Alloc":        {"/memory/classes/heap/objects:bytes"},
	"HeapAlloc":    {"/memory/classes/heap/objects:bytes"},
	"HeapInuse":    {"/memory/classes/heap/objects:bytes", "/memory/classes/heap/unused:bytes"},
	"HeapIdle":     {"/memory/classes/heap/free:bytes", "/memory/classes/heap/released:bytes"},
	"HeapReleased": {"/memory/classes/heap/released:bytes"},
	"HeapObjects":  {"/gc/heap/objects:objects"},
	"StackInuse":   {"/memory/classes/heap/stacks:bytes"},
	"Sys":          {"/memory/classes/total:bytes"},
	"TotalAlloc":   {"/gc/heap/allocs:bytes"},
	"Mallocs":      {"/gc/heap/allocs:objects", "/gc/heap/tiny/allocs:objects"},
	"Frees":        {"/gc/heap/frees:objects", "/gc/heap/tiny/allocs:objects"},
	"NextGC":       {"/gc/heap/goal:bytes"},
	"NumGC":        {"/gc/cycles/total:gc-cycles"},
	"NumForcedGC":  {"/gc/cycles/forced:gc-cycles"},
}

// A reading is one call whose variable is local and used for fields only.
type reading struct {
	p      *rule.Pass
	fn     ast.Node
	decl   ast.Stmt // var ms runtime.MemStats
	stmt   ast.Stmt // runtime.ReadMemStats(&ms)
	fields []*ast.SelectorExpr
}

// look returns the reading, or nil where metrics cannot stand for it.
func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) *reading {
	ref, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	stmt, isStmt := cur.Parent().Node().(*ast.ExprStmt)
	block, inBlock := cur.Parent().Parent().Node().(*ast.BlockStmt)
	fn, inFunc := code.Func(cur)
	if !ok || ref.Op != token.AND || !isStmt || !inBlock || !inFunc || !p.AtLeast(call.Pos(), "go1.21") {
		return nil
	}
	v := code.Var(p.TypesInfo, ref.X)
	r := &reading{p: p, fn: fn.Node(), stmt: stmt}
	if !code.Local(v) || !r.declared(v) {
		return nil
	}
	for _, use := range p.Index.Uses(v) {
		if code.Within(call, use.Node()) {
			continue
		}
		sel, ok := use.Parent().Node().(*ast.SelectorExpr)
		if !ok || sums[sel.Sel.Name] == nil || code.Writes(p.TypesInfo, use.Parent()) || !code.Within(block, sel) || sel.Pos() < call.End() {
			return nil
		}
		r.fields = append(r.fields, sel)
	}
	if len(r.fields) == 0 {
		return nil
	}
	return r
}

// declared finds the statement var v runtime.MemStats in the function.
func (r *reading) declared(v *types.Var) bool {
	for s := range code.All[*ast.DeclStmt](r.fn) {
		gd := s.Decl.(*ast.GenDecl)
		if spec, ok := gd.Specs[0].(*ast.ValueSpec); ok && len(gd.Specs) == 1 && len(spec.Names) == 1 && len(spec.Values) == 0 && r.p.TypesInfo.Defs[spec.Names[0]] == v {
			r.decl = s
			return true
		}
	}
	return false
}
