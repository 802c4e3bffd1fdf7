// Package nestedscan finds slices that are searched from end to end in each
// iteration of a loop.
package nestedscan

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "nestedscan",
	Title: "slice searched in each iteration of a loop",
	IDs:   []string{"C36"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.B, Go: "go1.18",
	Why: "Looking at up to m elements in each of n iterations takes n times m comparisons. A set that is built once takes n plus m steps: 46 times " +
		"less for a thousand strings.",
	WhenNot: "One of the two is known to have at most 16 elements, where comparing is faster than hashing (0.6 times the speed with a set for 8 strings). " +
		"Elements are floats, interfaces or bytes. Equality is a function of its own. The slice changes in the loop.",
	Gap: "The set needs memory and is built even if the loop ends early. Only a profile shows how long the slice is. The set would not see other code " +
		"that changes an element during the loop.",
	Signature: "slices.Index or slices.Contains, or the line of the comparison, flat in a CPU profile, with runtime.memequal below it for strings",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkUnknown", Metric: "cpu",
		Claimed: "a set instead of a quadratic check for duplicates",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

// small is the number of elements up to which a scan is no slower than a set.
const small = 16

func run(p *rule.Pass) {
	given := names{}
	for name, literal := range map[string]bool{"Contains": false, "ContainsFunc": true, "IndexFunc": true} {
		for cur, call := range p.Index.Calls("slices", name) {
			loop, ok := code.Loop(cur)
			if !ok || len(call.Args) != 2 || code.Rare(p.TypesInfo, cur) || short(p, loop) {
				continue
			}
			item := call.Args[1]
			if literal {
				item = looked(p, item)
			}
			if item != nil && hashable(p.TypesInfo.TypeOf(item)) {
				contains(p, asked{cur, call, item, name}, loop, given)
			}
		}
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		searched(p, cur)
	}
	for cur := range p.Index.Inspect.Root().Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		loop, ok := code.Loop(cur)
		if !ok || short(p, loop) {
			continue
		}
		scan(p, cur, loop)
		if s, ok := cur.Node().(*ast.ForStmt); ok {
			if d := readPairs(p, s, loop); d != nil {
				d.report(given)
			}
		}
	}
}

// hashable reports whether values of a type may be keys of a set that finds
// what == finds, and have more than a few values.
func hashable(t types.Type) bool {
	if code.IsTypeParam(t) {
		return types.Comparable(t) // reported without a fix: it may be a float, or an interface
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsString|types.IsInteger) != 0 && t.Kind() != types.Uint8 && t.Kind() != types.Int8
	case *types.Pointer, *types.Chan:
		return true
	case *types.Array:
		return hashable(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if b, ok := f.Type().Underlying().(*types.Basic); !hashable(f.Type()) && (!ok || b.Info()&(types.IsInteger|types.IsBoolean) == 0) {
				return false
			}
		}
		return t.NumFields() > 0
	}
	return false
}

// short reports whether a loop is known to run a few times only.
func short(p *rule.Pass, loop inspector.Cursor) bool {
	switch n := loop.Node().(type) {
	case *ast.RangeStmt:
		if k, ok := code.Int(p.TypesInfo, n.X); ok {
			return k <= small
		}
		return code.Few(p, n.X, small)
	case *ast.ForStmt:
		if cond, ok := n.Cond.(*ast.BinaryExpr); ok && (cond.Op == token.LSS || cond.Op == token.LEQ) {
			k, ok := code.Int(p.TypesInfo, cond.Y)
			return ok && k <= small
		}
	}
	return false
}

// steady reports whether an expression names a local slice, or one in a field, that
// keeps its elements in a loop, as far as the loop's own statements go.
func steady(p *rule.Pass, x ast.Expr, loop ast.Node) bool {
	v := code.Named(p.TypesInfo, x)
	if v == nil || code.Few(p, x, small) || !kept(p, x, v, loop) {
		return false
	}
	if _, ok := v.Type().Underlying().(*types.Slice); !ok {
		return false
	}
	return only(p, v, loop)
}

// only reports whether a loop does nothing with a slice but read it.
func only(p *rule.Pass, v *types.Var, loop ast.Node) bool {
	for _, cur := range p.Index.Uses(v) {
		if cur.ParentEdgeKind() == edge.SelectorExpr_Sel {
			cur = cur.Parent()
		}
		if code.Within(loop, cur.Node()) && !looks(p, cur) {
			return false
		}
	}
	return true
}

// kept reports whether a loop leaves a variable alone that its own statements do not
// assign. For a field that is so where the loop calls nothing of the package, nor
// anything by a value, and goes on with the same struct.
func kept(p *rule.Pass, x ast.Expr, v *types.Var, loop ast.Node) bool {
	if !v.IsField() {
		return code.Invariant(p.Index, p.TypesInfo, x, loop)
	}
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	return ok && code.Invariant(p.Index, p.TypesInfo, sel.X, loop) && !calls(p, loop)
}

// calls reports whether a loop calls something of the package, or by a value, that may do
// more than search.
func calls(p *rule.Pass, loop ast.Node) bool {
	return code.Any(loop, func(call *ast.CallExpr) bool {
		f := code.Callee(p.TypesInfo, call)
		own := f == nil || f.Pkg() == p.Pkg || code.IsInterfaceMethod(f)
		return own && !p.TypesInfo.Types[call.Fun].IsType() && code.Builtin(p.TypesInfo, call) == "" && searches(p, code.Ran(p.Index, p.TypesInfo, call)) == nil
	})
}

// looks reports whether a use of a slice only reads it.
func looks(p *rule.Pass, cur inspector.Cursor) bool {
	switch cur.ParentEdgeKind() {
	case edge.RangeStmt_X:
		return true
	case edge.SliceExpr_X:
		return cur.Parent().ParentEdgeKind() == edge.RangeStmt_X
	case edge.IndexExpr_X:
		at := cur.Parent()
		for at.ParentEdgeKind() == edge.SelectorExpr_X {
			at = at.Parent()
			if sel := p.TypesInfo.Selections[at.Node().(*ast.SelectorExpr)]; sel == nil || sel.Kind() != types.FieldVal {
				return false
			}
		}
		return !code.Writes(p.TypesInfo, at)
	case edge.CallExpr_Args:
		call := cur.Parent().Node().(*ast.CallExpr)
		f := code.Callee(p.TypesInfo, call)
		return searches(p, code.Ran(p.Index, p.TypesInfo, call)) != nil || code.IsBuiltin(p.TypesInfo, call, "len") ||
			f != nil && f.Pkg() != nil && f.Pkg().Path() == "slices" && finders[f.Name()] && cur.ParentEdgeIndex() == 0
	}
	return false
}

// finders are the functions of package slices that look for an element.
var finders = code.Set("Contains ContainsFunc Index IndexFunc")

// asked is a call of one of them.
type asked struct {
	cur  inspector.Cursor
	call *ast.CallExpr
	item ast.Expr // what it looks for
	name string
}

// contains reports a call in a loop that looks for an element.
func contains(p *rule.Pass, a asked, loop inspector.Cursor, given names) {
	call := a.call
	if code.Invariant(p.Index, p.TypesInfo, a.item, loop.Node()) {
		return // it need not be in the loop at all
	}
	if !steady(p, call.Args[0], loop.Node()) {
		if a.name == "Contains" {
			collects(p, a.cur, call, loop)
		}
		return
	}
	for outer, ok := code.Loop(loop); ok && steady(p, call.Args[0], outer.Node()); outer, ok = code.Loop(outer) {
		loop = outer
	}
	f := rule.Finding{
		Pos: call.Pos(), End: call.End(), Hot: call,
		Message: fmt.Sprintf("slices.%s searches %s in each iteration; a set that is built before the loop is asked in constant time", a.name, p.Source(call.Args[0])),
	}
	if a.name != "Contains" || code.Generic(p.TypesInfo.TypeOf(a.item)) {
		p.Report(f)
		return
	}
	if edits := setEdits(p, call, loop, given); edits != nil {
		f.Fixes = []analysis.SuggestedFix{{Message: "Build a set before the loop", TextEdits: edits}}
	}
	p.Report(f)
}

// collects reports a slice that the loop appends to unless it is there:
//
//	if !slices.Contains(all, x) { all = append(all, x) }
func collects(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, loop inspector.Cursor) {
	v := code.Var(p.TypesInfo, call.Args[0])
	not, ok := cur.Parent().Node().(*ast.UnaryExpr)
	if !code.Local(v) || !ok || not.Op != token.NOT || code.Within(loop.Node(), declaration(v)) {
		return
	}
	branch, ok := cur.Parent().Parent().Node().(*ast.IfStmt)
	if !ok || branch.Cond != ast.Expr(not) {
		return
	}
	for _, stmt := range branch.Body.List {
		assign, ok := stmt.(*ast.AssignStmt)
		if ok && len(assign.Lhs) == 1 && len(assign.Rhs) == 1 && code.Var(p.TypesInfo, assign.Lhs[0]) == v && appends(p, assign.Rhs[0], call.Args[1]) {
			p.Report(rule.Finding{
				Pos: call.Pos(), End: call.End(), Hot: call,
				Message: fmt.Sprintf("slices.Contains searches %s, which grows, in each iteration; a set of what is in it is asked in constant time", v.Name()),
			})
		}
	}
}

// declaration is a node at the place where v is declared.
func declaration(v *types.Var) ast.Node { return &ast.Ident{NamePos: v.Pos(), Name: v.Name()} }
