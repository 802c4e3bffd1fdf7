// Package writesprintf finds texts that fmt formats into a string only to be written.
package writesprintf

import (
	"embed"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

//go:embed testdata/evidence
var evidence embed.FS

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "writesprintf",
	Title: "text that fmt.Sprintf makes only to be written",
	IDs:   []string{"X10"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "Sprintf formats into a buffer of its own, copies that into a new string, and the string is copied again; []byte(…) of it is one more copy. " +
		"Fprintf hands its buffer to the writer.",
	WhenNot: "The line is cold. Only texts and numbers are put together: the rule sprintf writes that without fmt.",
	Gap: "A writer may not keep the bytes that it is given (io.Writer says so); where it is not known which one it is, the fix is of class B. So is one " +
		"where a method of a value that is formatted might use the same buffer.",
	Signature: "fmt.Sprintf in alloc_objects profiles, below a line that writes",
	Evidence: &rule.Evidence{
		Files: evidence, Bench: "BenchmarkTable", Metric: "allocs",
		Claimed: "a cell of a table is not allocated first",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) error {
	for _, name := range []string{"print", "printf", "println"} {
		for cur, call := range p.Index.Calls("fmt", "S"+name) {
			if len(call.Args) > 0 && !p.IsTest(call.Pos()) {
				look(p, cur, call, "F"+name)
			}
		}
	}
	return nil
}

func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, to string) {
	pkg, qualified := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	write, method := outer(p.TypesInfo, cur)
	if write == nil || !qualified {
		return
	}
	w := write.Fun.(*ast.SelectorExpr).X
	writer, class := asWriter(p, w, method)
	if writer == "" {
		return
	}
	if !plain(p.TypesInfo, call) {
		class = rule.B
	}
	args := p.Text(call.Args[0].Pos(), call.Rparen)
	p.Report(rule.Finding{
		Pos: call.Pos(), End: call.End(), Class: class,
		Message: "fmt." + code.Callee(p.TypesInfo, call).Name() + " allocates a text only for " + method + " to copy it; fmt." + to + " writes it",
		Fixes:   code.Fix("Write by fmt."+to, code.Replace(write, p.Source(pkg.X)+"."+to+"("+writer+", "+args+")")),
	})
}

// outer returns the call of WriteString that is given the text, or of Write that is given
// it as bytes, with the method's name.
func outer(info *types.Info, cur inspector.Cursor) (write *ast.CallExpr, method string) {
	method = "WriteString"
	at := cur.Parent()
	conversion, ok := at.Node().(*ast.CallExpr)
	if ok && info.Types[conversion.Fun].IsType() {
		if text, _ := code.Converted(info, conversion); text == nil {
			return nil, ""
		}
		method, at = "Write", at.Parent()
	}
	if write, ok = at.Node().(*ast.CallExpr); !ok || len(write.Args) != 1 {
		return nil, ""
	}
	sel, ok := write.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method || info.Selections[sel] == nil || code.Deferred(at) {
		return nil, ""
	}
	return write, method
}

// asWriter returns the source of w as an io.Writer, "" where it is none, and the class of
// a fix that hands it to fmt.
func asWriter(p *rule.Pass, w ast.Expr, method string) (text string, class rule.Class) {
	t := p.TypesInfo.TypeOf(w)
	memory := code.IsNamed(t, "strings", "Builder") || code.IsNamed(t, "bytes", "Buffer")
	if _, pointer := t.Underlying().(*types.Pointer); memory && !pointer {
		return "&" + code.Operand(p, w), rule.A
	}
	switch {
	case memory:
		return p.Source(w), rule.A
	case method == "WriteString", !isWriter(t):
		return "", rule.N
	case code.IsNamed(t, "bufio", "Writer"), code.IsNamed(t, "os", "File"):
		return p.Source(w), rule.A
	}
	return p.Source(w), rule.B
}

// isWriter reports whether a type has the method of io.Writer.
func isWriter(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "Write")
	fn, ok := obj.(*types.Func)
	return ok && code.SignatureOf(fn.Type()) == "([]byte) (int, error)"
}

// plain reports whether all that is formatted is printed by its kind: no method runs.
func plain(info *types.Info, call *ast.CallExpr) bool {
	if call.Ellipsis.IsValid() {
		return false
	}
	for _, arg := range call.Args {
		t := info.TypeOf(arg)
		_, basic := t.Underlying().(*types.Basic)
		if !basic && !types.Identical(t, types.NewSlice(types.Typ[types.Byte])) || types.NewMethodSet(t).Len() > 0 {
			return false
		}
	}
	return true
}
