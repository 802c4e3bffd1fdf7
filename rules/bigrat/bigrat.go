// Package bigrat finds big.Rat and big.Int values that are made anew for each
// item of a loop.
package bigrat

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
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
	Name:  "bigrat",
	Title: "fresh big.Rat or big.Int per item",
	IDs:   []string{"C61"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.A,
	Why: "Each number allocates the words of its numerator and denominator, and reading one from text some more. A value that is declared before the loop " +
		"keeps its words from item to item.",
	WhenNot: "The value outlives the iteration: it is stored, returned, sent, captured, or its parts (Num, Denom, Bits) are. The line is cold.",
	Gap: "Reading text allocates scratch space that a kept value does not save: where amounts are only checked, a scan of the digits is as exact and " +
		"allocates nothing. The kept value holds the words of the largest number until the loop ends. What NewInt returns is on the stack where it is an " +
		"operand only, and is not reported. A sum that replaces the one that it is made of is reported without a fix: something may hold the old one.",
	Signature: "math/big.nat.make, math/big.(*Rat).SetString and math/big.nat.scan in alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkPositive", Metric: "allocs",
		Claimed: "checking an amount with a fresh big.Rat takes 859 ns and 28 allocations; fewer temporary numbers keep it exact and make it cheaper",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	if !p.Index.Imports("math/big") {
		return
	}
	h := &hoister{p: p, names: map[ast.Node]int{}}
	for _, name := range []string{"Rat", "Int"} {
		obj := p.Index.Object("math/big", name)
		if obj == nil {
			continue
		}
		for _, use := range p.Index.Uses(obj) {
			cur, ok := fresh(use)
			if p.IsTest(use.Node().Pos()) {
				continue
			}
			if ok {
				h.look(cur, name)
			}
			if v := variable(p.TypesInfo, use, cur, ok); v != nil {
				h.held(use, v, name)
			}
		}
		for cur, call := range p.Index.Calls("math/big", "New"+name) {
			if !p.IsTest(call.Pos()) {
				h.begun(cur, call, name)
			}
		}
	}
}

// begun reports what NewInt and NewRat return: to be the receiver of a method that gives it
// another value, at once or as a variable. As an operand alone it is on the stack.
func (h *hoister) begun(cur inspector.Cursor, call *ast.CallExpr, typ string) {
	if _, ok := code.MethodCall(cur); ok {
		if !slices.ContainsFunc(call.Args, func(x ast.Expr) bool { return h.p.TypesInfo.Types[x].Value == nil }) {
			h.look(cur, typ)
		}
		return
	}
	v := variable(h.p.TypesInfo, cur, cur, true)
	fn, _ := code.Func(cur)
	if _, in := code.Loop(cur); v == nil || !in {
		return
	}
	changed := false
	for _, use := range h.p.Index.Uses(v) {
		if inner, _ := code.Func(use); inner.Index() != fn.Index() || !h.variable(use, 0) {
			return
		}
		call, ok := code.MethodCall(use)
		changed = changed || ok && overwrites[name(call)]
	}
	if changed {
		h.p.Report(finding(cur, typ, true))
	}
}

// fresh returns new(big.T) or &big.T{} around a use of the type's name.
func fresh(use inspector.Cursor) (inspector.Cursor, bool) {
	cur := use
	if cur.ParentEdgeKind() == edge.SelectorExpr_Sel {
		cur = cur.Parent()
	}
	switch parent := cur.Parent().Node().(type) {
	case *ast.CallExpr:
		id, ok := ast.Unparen(parent.Fun).(*ast.Ident)
		return cur.Parent(), ok && id.Name == "new" && cur.ParentEdgeKind() == edge.CallExpr_Args
	case *ast.CompositeLit:
		u, ok := cur.Parent().Parent().Node().(*ast.UnaryExpr)
		return cur.Parent().Parent(), ok && u.Op == token.AND && cur.ParentEdgeKind() == edge.CompositeLit_Type
	}
	return cur, false
}

// variable returns the variable that a fresh value is the first value of, as in
// v := new(big.T), or whose type is named, as in var v big.T.
func variable(info *types.Info, use, cur inspector.Cursor, fresh bool) *types.Var {
	if assign, ok := cur.Parent().Node().(*ast.AssignStmt); ok && fresh && assign.Tok == token.DEFINE && len(assign.Lhs) == 1 {
		return code.Var(info, assign.Lhs[0])
	}
	if spec, ok := use.Parent().Parent().Node().(*ast.ValueSpec); ok && use.Parent().ParentEdgeKind() == edge.ValueSpec_Type && len(spec.Names) == 1 && len(spec.Values) == 0 {
		v, _ := info.Defs[spec.Names[0]].(*types.Var)
		return v
	}
	return nil
}

type hoister struct {
	p     *rule.Pass
	names map[ast.Node]int // given out, by function
}

// look reports a fresh value that does not outlive what is done with it.
func (h *hoister) look(cur inspector.Cursor, typ string) {
	call, ok := code.MethodCall(cur)
	if !ok || !overwrites[name(call)] {
		return
	}
	for at := range code.Wrapped(h.p.Index, h.p.TypesInfo, call) { // of a function that makes one for each text
		if _, in := outermost(at); in && h.stays(at, 0) {
			h.p.Report(finding(at, typ, in))
		}
	}
	if h.replaces(call) {
		h.p.Report(rule.Finding{
			Pos: cur.Node().Pos(), End: cur.Node().End(), Class: rule.N,
			Message: fmt.Sprintf("a fresh big.%s in each iteration replaces the one that it is made of; %s on that one keeps its memory", typ, name(call)),
		})
	}
	if !h.stays(call, 0) {
		return
	}
	loop, in := outermost(cur)
	f := finding(cur, typ, in)
	if !in {
		if name(call) == "SetString" {
			h.p.Report(f)
		}
		return
	}
	if edits := h.edits(cur, loop, typ); edits != nil {
		f.Class = rule.A
		f.Fixes = []analysis.SuggestedFix{{Message: "Declare the value before the loop", TextEdits: edits}}
	}
	h.p.Report(f)
}

// finding is about a fresh value at cur, in a loop or for one text.
func finding(cur inspector.Cursor, typ string, in bool) rule.Finding {
	f := rule.Finding{Pos: cur.Node().Pos(), End: cur.Node().End(), Class: rule.N}
	f.Message = fmt.Sprintf("a fresh big.%s for each text that is read; where it is only checked, a scan of the digits allocates nothing", typ)
	if in {
		f.Message = fmt.Sprintf("a fresh big.%s in each iteration; one that is declared before the loop keeps its memory", typ)
	}
	return f
}

// held reports a variable of an iteration, or for one text that is only checked, that gets
// its value by a method and does not outlive what is done with it.
func (h *hoister) held(at inspector.Cursor, v *types.Var, typ string) {
	fn, ok := code.Func(at)
	uses := h.p.Index.Uses(v)
	if !ok || !code.Local(v) || len(uses) == 0 {
		return
	}
	first, ok := code.MethodCall(uses[0])
	if !ok || !overwrites[name(first)] {
		return
	}
	checked := name(first) == "SetString"
	for i, use := range uses {
		if inner, _ := code.Func(use); inner.Index() != fn.Index() || !h.variable(code.WithUnary(use), 0) {
			return
		}
		call, ok := code.MethodCall(use)
		checked = checked && ok && (i == 0 || checks[name(call)])
	}
	if _, in := code.Loop(at); in || checked {
		h.p.Report(finding(at, typ, in))
	}
}

// outermost returns the outermost loop of the function around cur.
func outermost(cur inspector.Cursor) (inspector.Cursor, bool) {
	loop, ok := code.Loop(cur)
	for in := ok; in; {
		var outer inspector.Cursor
		if outer, in = code.Loop(loop); in {
			loop = outer
		}
	}
	return loop, ok
}

// edits declares the value before the loop and puts it for the fresh one.
func (h *hoister) edits(cur, loop inspector.Cursor, typ string) []analysis.TextEdit {
	for loop.ParentEdgeKind() == edge.LabeledStmt_Stmt {
		loop = loop.Parent()
	}
	if stmt, ok := code.Stmt(loop); !ok || stmt.Index() != loop.Index() {
		return nil
	}
	fn, ok := code.Func(cur)
	if !ok || code.Jumps(fn.Node()) {
		return nil
	}
	want := strings.ToLower(typ) + "Item"
	if n := h.names[fn.Node()]; n > 0 {
		want = fmt.Sprintf("%s%d", want, n+1)
	}
	h.names[fn.Node()]++
	name := code.FreeLocal(fn.Node(), want)
	at := loop.Node().Pos()
	text := fmt.Sprintf("%s := %s\n", name, h.p.Source(cur.Node()))
	for cur.ParentEdgeKind() == edge.ParenExpr_X {
		cur = cur.Parent()
	}
	return []analysis.TextEdit{
		{Pos: at, End: at, NewText: []byte(text)},
		{Pos: cur.Node().Pos(), End: cur.Node().End(), NewText: []byte(name)},
	}
}

// replaces reports whether a loop puts the number that a call makes of a variable's in its
// place, as in sum = new(big.Int).Add(sum, x), and nothing in the loop keeps the old one.
func (h *hoister) replaces(call inspector.Cursor) bool {
	loop, in := outermost(call)
	assign, ok := call.Parent().Node().(*ast.AssignStmt)
	if !in || !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 {
		return false
	}
	v := code.Var(h.p.TypesInfo, assign.Lhs[0])
	if !code.Local(v) || code.Declares(loop.Node(), v) || code.Captured(h.p.Index, h.p.TypesInfo, v) {
		return false
	}
	own := false
	for _, use := range h.p.Index.Uses(v) {
		if use.Parent() == call.Parent() || !code.Within(loop.Node(), use.Node()) {
			continue
		}
		if !h.variable(use, 0) {
			return false
		}
		own = own || code.Within(call.Node(), use.Node())
	}
	return own
}

// dropped reports whether nothing keeps the number that a call returns.
func dropped(call inspector.Cursor) bool {
	switch n := call.Parent().Node().(type) {
	case *ast.ExprStmt:
		return true
	case *ast.AssignStmt:
		id, ok := n.Lhs[0].(*ast.Ident)
		return ok && id.Name == "_" && len(n.Rhs) == 1
	}
	return false
}

func name(call inspector.Cursor) string {
	return ast.Unparen(call.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr).Sel.Name
}

var (
	// overwrites are the methods that give their receiver a value that does not
	// depend on what it was, and return it.
	overwrites = code.Set("SetString SetInt64 SetUint64 SetInt SetFrac64 SetFloat64 Set SetBytes Add Sub Mul Quo Neg Abs Div Mod Rem Exp Sqrt Lsh Rsh MulRange Binomial")
	// reads are the methods whose results do not share the receiver's memory.
	reads = code.Set("Sign Cmp CmpAbs IsInt String FloatString RatString Text Float64 Float32 FloatPrec Int64 Uint64 IsInt64 IsUint64 BitLen Bit TrailingZeroBits " +
		"ProbablyPrime Bytes FillBytes")
	// checks are those that a scan of the digits can stand for.
	checks = code.Set("Sign Cmp CmpAbs IsInt IsInt64 IsUint64 BitLen")
	// copies are the methods that take numbers and keep none of their memory.
	copies = code.Set("Cmp CmpAbs Set Add Sub Mul Quo Div Mod Rem SetInt SetFrac")
)

// stays reports whether the result of a call, which is the number itself, is
// done with at once, or is held by a variable of the iteration that is.
func (h *hoister) stays(call inspector.Cursor, depth int) bool {
	if h.operand(call, depth) {
		return true
	}
	assign, ok := call.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Rhs) != 1 || call.ParentEdgeKind() != edge.AssignStmt_Rhs {
		return false
	}
	id, ok := assign.Lhs[0].(*ast.Ident)
	if !ok {
		return false
	}
	if id.Name == "_" {
		return true
	}
	v, _ := h.p.TypesInfo.Defs[id].(*types.Var)
	if v == nil {
		return false
	}
	fn, _ := code.Func(call)
	return !slices.ContainsFunc(h.p.Index.Uses(v), func(use inspector.Cursor) bool {
		inner, _ := code.Func(use)
		return inner.Index() != fn.Index() || !h.variable(use, depth)
	})
}

// variable decides one use of the variable that holds the number.
func (h *hoister) variable(use inspector.Cursor, depth int) bool {
	if b, ok := use.Parent().Node().(*ast.BinaryExpr); ok {
		return h.p.TypesInfo.Types[b.X].IsNil() || h.p.TypesInfo.Types[b.Y].IsNil()
	}
	return h.operand(use, depth)
}

// operand reports whether the number at cur is read, is an operand of a method
// that copies, or is changed by a method whose result is read in turn.
func (h *hoister) operand(cur inspector.Cursor, depth int) bool {
	if call, ok := code.MethodCall(cur); ok && depth < 8 {
		if code.Deferred(call) {
			return false
		}
		return reads[name(call)] || overwrites[name(call)] && (dropped(call) || h.operand(call, depth+1))
	}
	call, ok := cur.Parent().Node().(*ast.CallExpr)
	if !ok || cur.ParentEdgeKind() != edge.CallExpr_Args || code.Deferred(cur.Parent()) {
		return false
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !copies[sel.Sel.Name] {
		return false
	}
	f, ok := h.p.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "math/big" && f.Signature().Recv() != nil
}
