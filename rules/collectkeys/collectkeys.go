// Package collectkeys finds slices of a map's keys or values that grow step by step.
package collectkeys

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "collectkeys",
	Title: "keys or values of a map collected without room for them",
	IDs:   []string{"X11"},
	Tier:  rule.Profiled, Fix: rule.A, Go: "go1.23",
	Why: "slices.Collect and slices.Sorted do not know how long a sequence is: they append, and the slice is allocated and copied again each time that " +
		"it is full. The length of the map is known.",
	WhenNot: "The line is cold: one call reads better. The map is not a name, so that it would be evaluated twice.",
	Gap: "Of an empty map, Collect and Sorted make nil, and the fix an empty slice with the same length. Where the result is more than ranged over, " +
		"indexed, measured or joined, that is class B. A sorted slice that changes rarely is better kept than made faster.",
	Signature: "runtime.growslice below slices.Collect, slices.Sorted or slices.AppendSeq in alloc_space profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkNames", Metric: "allocs",
		Claimed: "one allocation instead of one for each doubling",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	names := code.Names{}
	for _, name := range []string{"Collect", "Sorted"} {
		for cur, call := range p.Index.Calls("slices", name) {
			if c := look(p, cur, call, name == "Sorted"); c != nil {
				c.names = names
				c.report(name)
			}
		}
	}
}

// A collection is a slice of the keys or values of a map.
type collection struct {
	p     *rule.Pass
	names code.Names
	cur   inspector.Cursor
	call  *ast.CallExpr
	seq   *ast.CallExpr // maps.Keys(m)
	sort  bool
}

func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, sort bool) *collection {
	if len(call.Args) != 1 || p.IsTest(call.Pos()) {
		return nil
	}
	seq, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
	if !ok || !code.IsFunc(p.TypesInfo, seq, "maps", "Keys") && !code.IsFunc(p.TypesInfo, seq, "maps", "Values") || !code.Place(seq.Args[0]) {
		return nil
	}
	if _, isMap := p.TypesInfo.TypeOf(seq.Args[0]).Underlying().(*types.Map); !isMap {
		return nil
	}
	return &collection{p: p, cur: cur, call: call, seq: seq, sort: sort}
}

func (c *collection) report(name string) {
	f := rule.Finding{
		Pos: c.call.Pos(), End: c.call.End(),
		Message: "slices." + name + " grows the slice step by step; the length of " + c.p.Source(c.seq.Args[0]) + " is known",
	}
	if edits := c.edits(); edits != nil {
		f.Fixes = code.Fix("Make room first", edits...)
		if f.Class = rule.B; c.nilIsEmpty() {
			f.Class = rule.A
		}
	}
	c.p.Report(f)
}

// edits returns the edits that make the slice with room, and sort it where that is asked;
// nil where the shape of the code gives no place for it.
func (c *collection) edits() []analysis.TextEdit {
	p := c.p
	sel, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr)
	slice, _ := p.TypesInfo.TypeOf(c.call).Underlying().(*types.Slice)
	if slice == nil {
		return nil
	}
	elem, known := code.TypeText(p, slice.Elem(), c.call.Pos())
	if !ok || !known || !code.Predeclared(p.Pkg, c.call.Pos(), "make", "len") {
		return nil
	}
	m := p.Source(c.seq.Args[0])
	text := p.Source(sel.X) + ".AppendSeq(make([]" + elem + ", 0, len(" + m + ")), " + p.Source(c.seq) + ")"
	if !c.sort {
		return []analysis.TextEdit{code.Replace(c.call, text)}
	}
	sorted := "\n" + p.Source(sel.X) + ".Sort("
	switch at := c.cur.Parent().Node().(type) {
	case *ast.AssignStmt:
		id, ok := at.Lhs[0].(*ast.Ident)
		if !ok || id.Name == "_" || len(at.Lhs) != 1 || code.StmtList(c.cur.Parent().Parent().Node()) == nil {
			return nil
		}
		return []analysis.TextEdit{code.Replace(c.call, text+sorted+id.Name+")")}
	case *ast.RangeStmt:
		fn, ok := code.Func(c.cur)
		if !ok || code.StmtList(c.cur.Parent().Parent().Node()) == nil {
			return nil // it has a label
		}
		if name := c.names.FirstFree(fn.Node(), fn.Node(), "keys", "sorted", "names", "all"); name != "" {
			before := analysis.TextEdit{Pos: at.Pos(), End: at.Pos(), NewText: []byte(name + " := " + text + sorted + name + ")\n")}
			return []analysis.TextEdit{before, code.Replace(c.call, name)}
		}
	}
	return nil
}

// nilIsEmpty reports whether nobody tells a nil slice from an empty one: it is ranged
// over, or is a local variable that is ranged over, indexed, measured or joined.
func (c *collection) nilIsEmpty() bool {
	if tells(c.p.TypesInfo, c.cur) {
		return false
	}
	assign, ok := c.cur.Parent().Node().(*ast.AssignStmt)
	if !ok {
		return true
	}
	v := code.Var(c.p.TypesInfo, assign.Lhs[0])
	if assign.Tok != token.DEFINE || v == nil {
		return false
	}
	return !slices.ContainsFunc(c.p.Index.Uses(v), func(use inspector.Cursor) bool {
		return use.ParentEdgeKind() == edge.AssignStmt_Rhs || tells(c.p.TypesInfo, use)
	})
}

// tells reports whether what is at cur is used in a way that may tell nil from empty.
func tells(info *types.Info, cur inspector.Cursor) bool {
	switch cur.ParentEdgeKind() {
	case edge.RangeStmt_X, edge.IndexExpr_X, edge.AssignStmt_Rhs:
		return false
	case edge.CallExpr_Args:
		call := cur.Parent().Node().(*ast.CallExpr)
		return code.Builtin(info, call) != "len" && !code.IsFunc(info, call, "strings", "Join") && !code.IsFunc(info, call, "slices", "Sort")
	}
	return true
}
