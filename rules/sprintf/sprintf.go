// Package sprintf finds fmt.Sprintf calls whose format says no more than a
// concatenation would.
package sprintf

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "sprintf",
	Title: "fmt.Sprintf on a hot line",
	IDs:   []string{"C06"}, Seeds: []string{"000"},
	Tier: rule.Profiled, Fix: rule.A,
	Why: "Sprintf puts each argument into an interface, which may allocate, interprets the format at run time and copies the result. A concatenation " +
		"with strconv computes the length once and allocates the result once.",
	WhenNot: "The line is cold: the format is easier to read. The text is for a panic. Flags, widths, %v of values with methods, errors and " +
		"structures are reported without a fix: pass the values on and format where they are written, or append to a buffer that is reused. What needs " +
		"fmt and is only written is left to the rule writesprintf.",
	Gap: "The rule cannot see whether the string is needed at all; leaving it out is better than making it faster. A concatenation does not format a " +
		"nil error or a value with a String method as fmt does. It also reads a number before it calls what stands behind it, which is class B where that may change the number. A format that is a named constant, or a text of several lines, loses its name or " +
		"shape, which is class B. Where all arguments are constants after inlining, Sprintf boxes them for free, and a concatenation may allocate " +
		"more often.",
	Signature: "fmt.Sprintf, fmt.(*pp).doPrintf and runtime.convTstring, convT64 in CPU and alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkLine", Metric: "cpu",
		Claimed: "building a line from a name and a number without fmt is faster and allocates less",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur, call := range p.Index.Calls("fmt", "Sprintf") {
		if p.IsTest(call.Pos()) || len(call.Args) < 2 || unused(p, cur) {
			continue
		}
		fn, ok := code.Func(cur)
		if !ok {
			continue // the value of a package variable, made once
		}
		if format, ok := code.String(p.TypesInfo, call.Args[0]); ok && !call.Ellipsis.IsValid() {
			report(p, cur, call, format)
		}
		if code.Var(p.TypesInfo, call.Args[0]) == nil {
			continue
		}
		for at, outer := range code.Wrapped(p.Index, p.TypesInfo, cur) { // of a function that formats as its callers say
			_, ok := code.String(p.TypesInfo, code.Argument(p.TypesInfo, fn.Node(), outer, call.Args[0]))
			if ok && len(outer.Args) > 1 && !p.IsTest(outer.Pos()) && !unused(p, at) {
				p.Report(rule.Finding{
					Pos: outer.Pos(), End: outer.End(), Class: rule.N,
					Message: p.Source(outer.Fun) + " is fmt.Sprintf, which interprets its format and boxes its arguments on every call",
				})
			}
		}
	}
}

// unused reports whether the result is dropped, or is for a panic.
func unused(p *rule.Pass, cur inspector.Cursor) bool {
	switch parent := cur.Parent().Node().(type) {
	case *ast.CallExpr:
		return p.TypesInfo.Types[parent.Fun].IsBuiltin() && cur.ParentEdgeKind() == edge.CallExpr_Args && ast.Unparen(parent.Fun).(*ast.Ident).Name == "panic"
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

func report(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, format string) {
	f := rule.Finding{Pos: call.Pos(), End: call.End()}
	verbs, ok := code.Verbs(format)
	if ok && len(verbs) != len(call.Args)-1 {
		return // what it prints is a mistake
	}
	edits, early := rewrite(p, cur, call)
	if w, writable := code.WrittenAs(p, cur); writable && (edits == nil || w.Method == "Write") {
		return // the rule writesprintf hands it to the writer
	}
	if edits == nil {
		f.Message = "fmt.Sprintf interprets its format and boxes its arguments on every call; pass the values on, or append them to a buffer that is reused"
	} else {
		f.Message = "fmt.Sprintf interprets its format and boxes its arguments on every call; a concatenation says the same"
		f.Class = rule.A
		if early || named(p.TypesInfo, call.Args[0]) {
			f.Class = rule.B
		}
		f.Fixes = []analysis.SuggestedFix{{Message: "Concatenate", TextEdits: edits}}
	}
	p.Report(f)
}

// named reports whether a format has a name, which the concatenation would
// lose: others may rely on the constant, or be meant to change with it. A text
// of several lines, such as a document, would lose its shape.
func named(info *types.Info, format ast.Expr) (named bool) {
	ast.Inspect(format, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			_, constant := info.Uses[n].(*types.Const)
			named = named || constant
		case *ast.BasicLit:
			named = named || strings.Contains(n.Value, "\n")
		}
		return true
	})
	return named
}

// rewrite returns the edits that put a concatenation for the call, or nil; early is as in
// code.Concat.
func rewrite(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr) (edits []analysis.TextEdit, early bool) {
	concat, ok := code.Concatenation(p, call)
	if !ok {
		return nil, false
	}
	text := concat.Text
	if itself(p, cur, text) {
		return nil, false
	}
	switch cur.ParentEdgeKind() {
	case edge.IndexExpr_X, edge.SliceExpr_X:
		text = "(" + text + ")"
	}
	imports, ok := code.Reimport(p, call.Pos(), concat.Paths, "fmt", call.Fun)
	if !ok {
		return nil, false
	}
	return append(imports, analysis.TextEdit{Pos: call.Pos(), End: call.End(), NewText: []byte(text)}), concat.Early
}

// itself reports whether a text for the call is what the call is assigned to: x = x is left to
// a person.
func itself(p *rule.Pass, cur inspector.Cursor, text string) bool {
	assign, ok := cur.Parent().Node().(*ast.AssignStmt)
	return ok && assign.Tok == token.ASSIGN && len(assign.Lhs) == len(assign.Rhs) && p.Source(assign.Lhs[cur.ParentEdgeIndex()]) == text
}
