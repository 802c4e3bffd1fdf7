// Package writeconcat finds texts that are joined only to be written to a buffer.
package writeconcat

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "writeconcat",
	Title: "texts joined by + only to be written to a buffer",
	IDs:   []string{"X03"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "The concatenation copies its parts into a new string, which has to be allocated above 32 bytes, and the buffer copies that once more. Written " +
		"one by one, each part is copied once.",
	WhenNot: "The writer is a file, a connection or an interface, where one write is better than several. The result of WriteString is used. The line " +
		"is cold: one call is easier to read.",
	Gap: "Where a later part may panic, the parts before it would be in the buffer already; calls in later parts would run after a write. Both are of " +
		"class B, and so is a bufio.Writer, which may pass on a long text in other pieces.",
	Signature: "runtime.concatstrings below the line in CPU and alloc_objects profiles",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkHead", Metric: "allocs",
		Claimed: "a line of a header is not joined first",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

const most = 8 // parts that become a write each

func run(p *rule.Pass) {
	for _, w := range []struct {
		pkg, name string
		class     rule.Class
	}{{"strings", "Builder", rule.A}, {"bytes", "Buffer", rule.A}, {"bufio", "Writer", rule.B}} {
		for cur, call := range p.Index.Method(w.pkg, w.name, "WriteString") {
			look(p, cur, call, w.class)
		}
	}
}

func look(p *rule.Pass, cur inspector.Cursor, call *ast.CallExpr, class rule.Class) {
	stmt, isStmt := cur.Parent().Node().(*ast.ExprStmt)
	sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isStmt || !isSel || len(call.Args) != 1 || p.IsTest(call.Pos()) {
		return
	}
	parts := split(p.TypesInfo, call.Args[0])
	if len(parts) < 2 || len(parts) > most {
		return
	}
	f := rule.Finding{
		Pos: call.Pos(), End: call.End(), Class: class,
		Message: "the texts are joined in memory of their own, and then copied to the buffer; write one after the other",
	}
	list := code.StmtList(cur.Parent().Parent().Node())
	if code.Place(sel.X) && list != nil {
		if later(p.TypesInfo, sel.X, parts) != code.NoLoss {
			f.Class = rule.B
		}
		var writes []string
		for _, part := range parts {
			var texts []string
			for _, x := range part {
				texts = append(texts, p.Source(x))
			}
			writes = append(writes, p.Source(call.Fun)+"("+strings.Join(texts, " + ")+")")
		}
		f.Fixes = code.Fix("Write the texts one by one", code.Replace(stmt, strings.Join(writes, "\n")))
	}
	p.Report(f)
}

// split returns the operands of a concatenation that is no constant; constants that
// follow each other are one part.
func split(info *types.Info, x ast.Expr) (parts [][]ast.Expr) {
	if info.Types[x].Value != nil {
		return nil
	}
	constant := false
	for _, x := range operands(x) {
		was := constant
		if constant = info.Types[x].Value != nil; was && constant {
			parts[len(parts)-1] = append(parts[len(parts)-1], x)
		} else {
			parts = append(parts, []ast.Expr{x})
		}
	}
	return parts
}

// operands returns what is added, in the order in which it is evaluated.
func operands(x ast.Expr) []ast.Expr {
	b, ok := ast.Unparen(x).(*ast.BinaryExpr)
	if !ok || b.Op != token.ADD {
		return []ast.Expr{ast.Unparen(x)}
	}
	return append(operands(b.X), operands(b.Y)...)
}

// later returns what the parts after the first may do once something is written. A
// pointer that the writer or a part before goes through is not nil.
func later(info *types.Info, w ast.Expr, parts [][]ast.Expr) (worst code.Grade) {
	before := []ast.Expr{w}
	eval := &code.Eval{
		Info: info,
		Call: func(*ast.CallExpr) code.Loss { return code.Loss{Grade: code.AnyLoss} },
		NotNil: func(x ast.Expr) bool {
			return slices.ContainsFunc(before, func(b ast.Expr) bool {
				return code.Any(b, func(s *ast.SelectorExpr) bool { return code.SameVariable(info, s.X, x) })
			})
		},
	}
	for i, part := range parts {
		for _, x := range part {
			if i > 0 {
				worst = max(worst, eval.Of(x).Grade)
			}
			before = append(before, x)
		}
	}
	return worst
}
