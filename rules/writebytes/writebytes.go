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
		copied := cur.Node().(*ast.CallExpr)
		text, _ := code.Converted(p.TypesInfo, copied)
		if text == nil || p.IsTest(copied.Pos()) {
			continue
		}
		use, held := code.Sole(p.Index, p.TypesInfo, cur)
		call, ok := use.Parent().Node().(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || use.ParentEdgeKind() != edge.CallExpr_Args || use.Parent().ParentEdgeKind() == edge.GoStmt_Call {
			continue
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Write" {
			continue
		}
		if decl, _ := code.Decl(p.TypesInfo, cur); decl == nil || decl.Name.Name != "WriteString" { // which is what it is for
			report(p, write{call, sel, copied, text, held})
		}
	}
}

// A write is a call of a method Write with a copy of a text.
type write struct {
	call   *ast.CallExpr
	sel    *ast.SelectorExpr
	copied *ast.CallExpr
	text   ast.Expr
	held   bool // a variable has the copy in between
}

func report(p *rule.Pass, w write) {
	f := rule.Finding{
		Pos: w.copied.Pos(), End: w.copied.End(), Class: rule.B,
		Message: "the string is copied into memory of its own, only to be written; WriteString takes it as it is",
	}
	text, meant := p.Source(w.text), true
	if !types.Identical(types.Default(p.TypesInfo.TypeOf(w.text)), types.Typ[types.String]) {
		text, meant = "string("+text+")", code.Predeclared(p.Pkg, w.call.Pos(), "string")
	}
	switch t := p.TypesInfo.TypeOf(w.sel.X); {
	case code.IsNamed(t, "os", "File"):
		f.Class = rule.A
		fallthrough
	case code.IsNamed(t, "bufio", "Writer"):
		f.Fixes = code.Fix("Use WriteString", code.Replace(w.sel.Sel, "WriteString"), code.Replace(w.copied, text))
	case code.IsNamed(t, "io", "Writer"), code.IsNamed(t, "net/http", "ResponseWriter"):
		q, edits, ok := code.Import(p.TypesInfo, p.Pkg, p.File(w.call.Pos()), w.call.Pos(), "io")
		if ok {
			edits = append(edits, code.Replace(w.call, q+".WriteString("+p.Source(w.sel.X)+", "+text+")"))
			f.Fixes = code.Fix("Use io.WriteString", edits...)
		}
	default:
		return
	}
	if w.held || !meant {
		f.Class, f.Fixes = rule.N, nil
	}
	p.Report(f)
}
