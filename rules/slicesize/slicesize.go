// Package slicesize finds slices that grow by append in a loop whose number of
// iterations is known before it starts.
package slicesize

import (
	"fmt"
	"go/ast"
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/internal/rulekit/flow"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "slicesize",
	Title: "slice of known length grown by append",
	IDs:   []string{"C02"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.A,
	Why: "A slice that starts empty moves to an array of about twice the size whenever it is full. For ten thousand elements that is some twenty " +
		"allocations, and each element is copied more than once. One make with the capacity does it once.",
	WhenNot: "The append is conditional, or the slice is appended to elsewhere. The loop has a continue, a break or a return other than of an error. At " +
		"most eight elements are known. Since Go 1.25 the first few appends are made on the stack, so that short loops gain nothing.",
	Gap: "Where someone may see whether a var stayed nil for an empty source (JSON, == nil, reflect.DeepEqual), slices.Grow keeps that. A loop that " +
		"can return an error may still return an empty slice for a nil one, and a literal's capacity is exact, which a caller that appends can see. " +
		"There the fix is of class B. So is it where the function itself asks for the capacity, slices up to a number, or hands the slice to several who may append to it. A function of the package that appends to it twice counts as two. A loop that often returns an error early allocates more than it fills.",
	Signature: "runtime.growslice in CPU and alloc_space profiles, below the line of the append",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkTotals", Metric: "cpu",
		Claimed: "when the number of rows is known, reserving capacity removes a large amount of allocation churn",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.CallsOf(types.Universe.Lookup("append")) {
		if len(call.Args) != 2 || call.Ellipsis.IsValid() {
			continue
		}
		if g := look(p, cur, call, call.Args[0]); g != nil {
			g.report()
		}
		fn, _ := code.Func(cur)
		for at, outer := range code.Wrapped(p.Index, p.TypesInfo, cur) { // of a function that appends to what it is given
			to := code.Argument(p.TypesInfo, fn.Node(), outer, call.Args[0])
			if g := look(p, at, outer, to); to != call.Args[0] && g != nil {
				g.report()
			}
		}
	}
}

// A growth is one append that fills a slice from empty.
type growth struct {
	p      *rule.Pass
	fill   code.Fill
	append *ast.CallExpr
	cur    inspector.Cursor
	start  start
}

// A start is the way in which the slice is declared.
type start struct {
	typ  string // as written
	null bool   // it starts as nil
	make *ast.CallExpr
}

// look returns the growth of dst by a call, nil where the rule does not apply.
func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, dst ast.Expr) *growth {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || cur.ParentEdgeKind() != edge.AssignStmt_Rhs || len(assign.Lhs) != 1 {
		return nil
	}
	v := code.Var(p.TypesInfo, assign.Lhs[0])
	if !code.Local(v) || code.Var(p.TypesInfo, dst) != v {
		return nil
	}
	fill, ok := code.FillOf(p, cur.Parent(), assign.Lhs[0])
	if !ok || code.IsString(p.TypesInfo.TypeOf(fill.Src)) || appended(p, v) > 1 {
		return nil
	}
	s, ok := empty(p, fill)
	if !ok {
		return nil
	}
	return &growth{p: p, fill: fill, append: call, cur: cur, start: s}
}

// appended counts the appends to v, and the assignments that may be some.
func appended(p *rule.Pass, v *types.Var) int {
	n := 0
	for _, cur := range p.Index.Uses(v) {
		if cur.ParentEdgeKind() == edge.AssignStmt_Lhs {
			n++
		}
		if u, ok := cur.Parent().Node().(*ast.UnaryExpr); ok && u.X == cur.Node() {
			n += 2 // behind a pointer, anyone may append
		}
	}
	return n
}

// empty reads the first value of the slice; ok is false unless it is empty.
func empty(p *rule.Pass, f code.Fill) (start, bool) {
	if _, slice := f.Var.Type().Underlying().(*types.Slice); !slice {
		return start{}, false
	}
	switch x := f.Value.(type) {
	case nil:
		return start{typ: p.Source(f.Type), null: true}, true
	case *ast.CompositeLit:
		if len(x.Elts) == 0 && x.Type != nil {
			return start{typ: p.Source(x.Type)}, true
		}
	case *ast.CallExpr:
		if code.IsBuiltin(p.TypesInfo, x, "make") && len(x.Args) == 2 {
			n, ok := code.Int(p.TypesInfo, x.Args[1])
			return start{typ: p.Source(x.Args[0]), make: x}, ok && n == 0
		}
	}
	return start{}, false
}

func (g *growth) report() {
	src := g.p.Source(g.fill.Src)
	f := rule.Finding{
		Pos: g.append.Pos(), End: g.append.End(), Hot: g.append, Class: rule.B,
		Message: fmt.Sprintf("append grows %s step by step although the loop adds len(%s) elements", g.fill.Var.Name(), src),
	}
	if decl := g.fill.Decl; decl != nil {
		f.Related = []analysis.RelatedInformation{{Pos: decl.Pos(), End: decl.End(), Message: "declared here without capacity"}}
	}
	seen, room := g.seen()
	if g.fill.Exact && !room && (!seen || g.start.null) {
		f.Class = rule.A
	}
	if edits := g.edits(src, seen); edits != nil {
		f.Fixes = []analysis.SuggestedFix{{Message: "Reserve the capacity", TextEdits: edits}}
	} else {
		f.Class = rule.N
	}
	g.p.Report(f)
}

// seen reports whether a use of the slice may tell nil from empty, or one capacity from
// another, and whether one in the function tells how much room is behind the last element.
func (g *growth) seen() (seen, room bool) {
	fl := flow.Of(flow.Funcs{}.Around(g.p.TypesInfo, g.cur), flow.Source{Call: flow.Outside}, g.fill.Var)
	room = fl.CapSeen || g.shared(fl) || g.roomElsewhere(fl) || slices.ContainsFunc(g.p.Index.Uses(g.fill.Var), func(cur inspector.Cursor) bool {
		if call, ok := cur.Parent().Node().(*ast.CallExpr); ok && code.IsFunc(g.p.TypesInfo, call, "reflect", "ValueOf") {
			return true // a reflect.Value tells the capacity
		}
		at, ok := cur.Parent().Node().(*ast.SliceExpr)
		return ok && at.X == cur.Node() && at.High != nil && !g.within(at.High)
	})
	return room || len(fl.Vars) != 1 || len(fl.Leaks) > 0 || fl.Results != 0 || fl.NilSeen, room
}

// shared reports whether the slice gets to more than one who may append to it: another
// variable, a callee, a caller, or both copies of a struct. Whether one overwrites what
// another has added is then a matter of the room.
func (g *growth) shared(fl *flow.Flow) bool {
	v := g.fill.Var
	for _, l := range fl.Leaks {
		for n := range code.All[ast.Node](fl.Decl) {
			if !code.Within(n, l.At) {
				continue
			}
			switch n := n.(type) {
			case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
				if v.Pos() < n.Pos() || n.End() <= v.Pos() {
					return true
				}
			case *ast.AssignStmt:
				if g.ofValue(n.Lhs[0]) || inValue(n.Rhs, l.At) {
					return true
				}
			case *ast.ValueSpec:
				if inValue(n.Values, l.At) {
					return true
				}
			}
		}
	}
	return bits.OnesCount64(fl.Results)+len(fl.Leaks) > 1 || len(fl.Vars) > 1
}

// ofValue reports whether e is a field of a struct that may be copied: it is not reached
// through a pointer.
func (g *growth) ofValue(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	_, pointer := g.p.TypesInfo.TypeOf(sel.X).Underlying().(*types.Pointer)
	return !pointer
}

// inValue reports whether a node is in a composite literal that is one of the values,
// as opposed to the address of one.
func inValue(values []ast.Expr, n ast.Node) bool {
	return slices.ContainsFunc(values, func(e ast.Expr) bool {
		_, ok := ast.Unparen(e).(*ast.CompositeLit)
		return ok && code.Within(e, n)
	})
}

// within reports whether the end of a slice expression is known not to be beyond the
// length: it is 0, or made of the length.
func (g *growth) within(high ast.Expr) bool {
	n, ok := code.Int(g.p.TypesInfo, high)
	return ok && n == 0 || code.Any(high, func(call *ast.CallExpr) bool {
		return code.Builtin(g.p.TypesInfo, call) == "len" && code.Var(g.p.TypesInfo, call.Args[0]) == g.fill.Var
	})
}

// edits declares the slice with its capacity: where it is, or just before the
// loop if the length is known only there. Where someone may see whether the
// slice is nil, slices.Grow keeps it nil if nothing is added. Nil if none of
// that is possible.
func (g *growth) edits(src string, seen bool) []analysis.TextEdit {
	call := fmt.Sprintf("make(%s, 0, len(%s))", g.start.typ, src)
	f := g.fill
	if g.start.null && seen {
		at := f.Loop.Pos()
		if f.Decl != nil {
			at = f.Decl.Pos()
		}
		if !g.p.AtLeast(at, "go1.21") {
			return nil
		}
		name, edits, ok := code.Import(g.p.TypesInfo, g.p.Pkg, g.p.File(at), at, "slices")
		if !ok {
			return nil
		}
		typ := g.start.typ
		if strings.Contains(typ, "func(") {
			typ = "(" + typ + ")" // else (nil) may be its results
		}
		declared := g.declared(fmt.Sprintf("%s.Grow(%s(nil), len(%s))", name, typ, src))
		if declared == nil {
			return nil
		}
		return append(edits, declared...)
	}
	return g.declared(call)
}

// declared returns the edits that make call the first value of the slice.
func (g *growth) declared(call string) []analysis.TextEdit {
	f := g.fill
	switch {
	case f.Decl == nil:
		return []analysis.TextEdit{{Pos: f.Loop.Pos(), End: f.Loop.Pos(), NewText: []byte(f.Var.Name() + " = " + call + "\n")}}
	case f.InPlace && g.start.make != nil:
		end := g.start.make.Args[1].End()
		return []analysis.TextEdit{{Pos: end, End: end, NewText: []byte(", len(" + g.p.Source(f.Src) + ")")}}
	case f.InPlace && f.Value != nil:
		return []analysis.TextEdit{{Pos: f.Value.Pos(), End: f.Value.End(), NewText: []byte(call)}}
	case f.InPlace:
		return []analysis.TextEdit{{Pos: f.Decl.Pos(), End: f.Decl.End(), NewText: []byte(f.Var.Name() + " := " + call)}}
	case !f.Used && !f.Set:
		return []analysis.TextEdit{
			g.p.Delete(f.Decl),
			{Pos: f.Loop.Pos(), End: f.Loop.Pos(), NewText: []byte(f.Var.Name() + " := " + call + "\n")},
		}
	}
	return nil
}
