// Package deadformat finds texts that are formatted on every path and used on
// some only.
package deadformat

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "deadformat",
	Title: "text that is formatted on every path and used on some",
	IDs:   []string{"C07"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.A,
	Why: "Formatting allocates the text and boxes its operands whether or not somebody reads the result. In the branch that reads it, or below the " +
		"early return, it is paid only there.",
	WhenNot: "The paths without a reader are rare: then nothing is saved. The text is read in a loop, a deferred call or a function literal, or before " +
		"a branch begins.",
	Gap: "The fix moves texts of basic operands without methods, which keep their values until then. An operand with a String or Error method is " +
		"reported without a fix, since the method might see another state later. So is a text that several branches read. pawl optimize moves texts of more kinds where a benchmark runs them.",
	Signature: "fmt.Sprintf in CPU and alloc_objects profiles, below a line whose result is seldom used",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkTotal", Metric: "allocs",
		Claimed: "the best way to format a text is not to, where nobody reads it",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	within := formatters(p)
	for cur := range p.Index.Inspect.Root().Preorder((*ast.AssignStmt)(nil)) {
		def := cur.Node().(*ast.AssignStmt)
		if def.Tok != token.DEFINE || len(def.Lhs) != 1 {
			continue
		}
		call, ok := ast.Unparen(def.Rhs[0]).(*ast.CallExpr)
		v, _ := p.TypesInfo.Defs[def.Lhs[0].(*ast.Ident)].(*types.Var)
		if !ok || v == nil || !within[call] && !code.Formats(code.Callee(p.TypesInfo, call)) && !code.IsFunc(p.TypesInfo, call, "strings", "Join") || code.Written(p.Index, p.TypesInfo, v, nil) {
			continue
		}
		t := &text{p: p, def: def, call: call, v: v, within: within[call]}
		if t.sink(cur) {
			t.report(cur)
		}
	}
}

// formatters returns the calls of functions of the package that do no more than format.
func formatters(p *rule.Pass) map[*ast.CallExpr]bool {
	calls := map[*ast.CallExpr]bool{}
	for _, name := range []string{"Sprintf", "Sprint", "Sprintln"} {
		for cur := range p.Index.Calls("fmt", name) {
			for _, call := range code.Wrapped(p.Index, p.TypesInfo, cur) {
				calls[call] = true
			}
		}
	}
	return calls
}

// A text is a variable that holds one, and the place below where it is needed.
type text struct {
	p    *rule.Pass
	def  *ast.AssignStmt
	call *ast.CallExpr
	v    *types.Var
	to   ast.Stmt // before which it may be formatted; nil where there are several places
	why  string
	// within is set where a function of the package formats, and does nothing else.
	within bool
}

// sink finds the only branch that reads the text, or else the first statement that does,
// if the function may have returned before it. It is true as well where several branches read it.
func (t *text) sink(cur inspector.Cursor) bool {
	below := code.Following(cur)
	if branch := code.OnlyBranch(t.p.TypesInfo, below, t.v); branch != nil {
		t.to, t.why = branch[0], "one branch alone reads it"
		return true
	}
	first := slices.IndexFunc(below, func(s ast.Stmt) bool { return code.Mentions(t.p.TypesInfo, s, t.v) })
	if first >= 0 && slices.ContainsFunc(below[:first], t.leaves) {
		t.to, t.why = below[first], "nothing reads it before an early return"
		return true
	}
	t.why = "some branches alone read it"
	return code.SomeBranches(t.p.TypesInfo, below, t.v)
}

// leaves reports whether a statement is an if that may go elsewhere, or a loop that may
// return, and not for an error, which is rare.
func (t *text) leaves(s ast.Stmt) bool {
	if body := code.Body(s); body != nil {
		return code.Here(body, func(r *ast.ReturnStmt) bool { return !code.ReturnsError(t.p.TypesInfo, r) }) != nil
	}
	i, ok := s.(*ast.IfStmt)
	if !ok || !code.Departs(i.Body) {
		return false
	}
	switch last := i.Body.List[len(i.Body.List)-1].(type) {
	case *ast.ReturnStmt:
		return !code.ReturnsError(t.p.TypesInfo, last)
	case *ast.BranchStmt:
		return true
	}
	return false
}

func (t *text) report(cur inspector.Cursor) {
	f := rule.Finding{
		Pos: t.def.Pos(), End: t.def.End(),
		Message: fmt.Sprintf("%s is formatted on every path, and %s: format it there", t.v.Name(), t.why),
	}
	if fn, ok := code.Func(cur); ok && t.to != nil && !t.within && !code.Jumps(fn.Node()) && !t.again() && t.same() && code.Hidden(t.p.TypesInfo, t.p.Pkg, t.call, t.to.Pos()) == "" {
		f.Fixes = []analysis.SuggestedFix{{Message: "Format it where it is read", TextEdits: []analysis.TextEdit{
			t.p.Delete(t.def),
			{Pos: t.to.Pos(), End: t.to.Pos(), NewText: []byte(t.p.Source(t.def) + "\n")},
		}}}
	}
	t.p.Report(f)
}

// again reports whether statements that stand beside the place declare the name, too.
func (t *text) again() bool {
	scope := t.p.Pkg.Scope().Innermost(t.to.Pos())
	other := scope.Lookup(t.v.Name())
	return other != nil && other != t.v
}

// same reports whether the text is the same where it is read, and formatting does nothing
// but make it: its operands run no code and keep their values.
func (t *text) same() bool {
	info := t.p.TypesInfo
	eval := code.Eval{Info: info, Call: func(*ast.CallExpr) code.Loss { return code.Loss{Grade: code.AnyLoss} }}
	of := code.Callee(info, t.call)
	for i, arg := range t.call.Args {
		if i == 1 && of.Pkg().Path() == "strconv" { // a base: some panic
			if base, ok := code.Int(info, arg); !ok || base < 2 || base > 36 {
				return false
			}
		}
		if info.Types[arg].Value != nil {
			continue
		}
		_, basic := info.TypeOf(arg).Underlying().(*types.Basic)
		if !basic || types.NewMethodSet(types.NewPointer(info.TypeOf(arg))).Len() > 0 || eval.Of(arg).Grade != code.NoLoss || !t.steady(arg) {
			return false
		}
	}
	return true
}

// steady reports whether an operand reads variables of the function alone, which nothing
// sets until the text is read. The elements of a slice may change, its length does not.
func (t *text) steady(arg ast.Expr) bool {
	info := t.p.TypesInfo
	foreign := code.Any(arg, func(id *ast.Ident) bool {
		v, ok := info.Uses[id].(*types.Var)
		return ok && !v.IsField() && !code.Local(v)
	})
	return !foreign && code.Steady(t.p.Index, info, arg, t.def.End(), t.to.Pos())
}
