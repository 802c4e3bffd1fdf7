// Package writebytes finds strings that are copied into bytes only to be written.
package writebytes

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "writebytes",
	Title: "string copied into bytes only to be written",
	IDs:   []string{"X15"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "What goes to an interface, a file or a bufio.Writer may be kept, as far as the compiler can see: []byte(s) allocates memory for the text, a " +
		"constant one too. WriteString of files, of buffers and of the ResponseWriter of net/http takes the string as it is.",
	WhenNot: "The writer is a bytes.Buffer or strings.Builder: there the compiler leaves the copy out. It is a hash: few of them have a WriteString. The function is " +
		"itself a WriteString, for writers without one.",
	Gap: "io.WriteString asks the writer at run time whether it has a WriteString; what that does is its own affair, and without one nothing is gained: " +
		"class B. So is a bufio.Writer, which may pass on a long text in other pieces.",
	Signature: "runtime.stringtoslicebyte below a line that writes in alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkLines", Metric: "allocs",
		Claimed: "a line is written without a copy of it",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for cur := range p.Index.Inspect.Root().Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Write" || len(call.Args) != 1 || p.IsTest(call.Pos()) || cur.ParentEdgeKind() == edge.GoStmt_Call {
			continue
		}
		text, _ := code.Converted(p.TypesInfo, call.Args[0])
		if text == nil || !types.Identical(types.Default(p.TypesInfo.TypeOf(text)), types.Typ[types.String]) {
			continue
		}
		if decl, _ := code.Decl(p.TypesInfo, cur); decl == nil || decl.Name.Name != "WriteString" { // which is what it is for
			report(p, call, sel, text)
		}
	}
}

func report(p *rule.Pass, call *ast.CallExpr, sel *ast.SelectorExpr, text ast.Expr) {
	f := rule.Finding{
		Pos: call.Args[0].Pos(), End: call.Args[0].End(), Class: rule.B,
		Message: "the string is copied into memory of its own, only to be written; WriteString takes it as it is",
	}
	switch t := p.TypesInfo.TypeOf(sel.X); {
	case code.IsNamed(t, "os", "File"):
		f.Class = rule.A
		fallthrough
	case code.IsNamed(t, "bufio", "Writer"):
		f.Fixes = code.Fix("Use WriteString", code.Replace(sel.Sel, "WriteString"), code.Replace(call.Args[0], p.Source(text)))
	case code.IsNamed(t, "io", "Writer"), code.IsNamed(t, "net/http", "ResponseWriter"):
		q, edits, ok := code.Import(p.TypesInfo, p.Pkg, p.File(call.Pos()), call.Pos(), "io")
		if ok {
			edits = append(edits, code.Replace(call, q+".WriteString("+p.Source(sel.X)+", "+p.Source(text)+")"))
			f.Fixes = code.Fix("Use io.WriteString", edits...)
		}
	default:
		return
	}
	p.Report(f)
}
