// Package foldcase finds texts that are brought into one case only to be compared with
// a constant.
package foldcase

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/rulekit/code"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Rule documents the rule.
var Rule = rule.Rule{
	Name:  "foldcase",
	Title: "text brought into lower or upper case only to be compared with a constant",
	IDs:   []string{"X14"},
	Tier:  rule.Profiled, Fix: rule.A,
	Why: "strings.ToLower reads the whole text, and allocates a new one if a letter changes. strings.EqualFold stops at the first difference and " +
		"allocates nothing.",
	WhenNot: "The texts are in that case already, nearly always: then ToLower returns its argument. One text is compared with several constants: a " +
		"switch over the lower case may be as fast.",
	Gap: "Unicode has letters that only one of the two takes for an ASCII letter. İ is an i to ToLower alone, and ı an I to ToUpper alone. ſ is an s, and " +
		"the sign of Kelvin a K, to EqualFold alone. A constant with such a letter, or one beyond ASCII, has a fix of class B. Where both sides are " +
		"brought into one case, staticcheck reports it (SA6005).",
	Signature: "strings.ToLower or strings.ToUpper in CPU and alloc_objects profiles, below a line that compares",
	Evidence: &rule.Evidence{
		Bench: "BenchmarkPlain", Metric: "allocs",
		Claimed: "a name is compared without a copy",
	},
}

// Analyzer reports the places.
var Analyzer = Rule.Analyzer(run)

func run(p *rule.Pass) {
	for _, f := range []struct{ name, apart string }{{"ToLower", "is"}, {"ToUpper", "IK"}} {
		for cur, call := range p.Index.Calls("strings", f.name) {
			if p.IsTest(call.Pos()) {
				continue
			}
			switch at := cur.Parent().Node().(type) {
			case *ast.BinaryExpr:
				if at.Op == token.EQL || at.Op == token.NEQ {
					look(p, at, call, f.name, f.apart)
				}
			case *ast.SwitchStmt:
				if text, ok := code.String(p.TypesInfo, sole(at)); ok && cased(f.name, text) {
					p.Report(rule.Finding{Pos: call.Pos(), End: call.End(), Class: rule.N, Message: message(f.name)})
				}
			}
		}
	}
}

// sole returns the only value that a switch compares with; nil for other switches.
func sole(s *ast.SwitchStmt) (x ast.Expr) {
	for _, clause := range s.Body.List {
		switch list := clause.(*ast.CaseClause).List; {
		case len(list) == 0:
		case len(list) > 1 || x != nil:
			return nil
		default:
			x = list[0]
		}
	}
	return x
}

func message(name string) string {
	return "strings." + name + " may copy the text only to compare it; strings.EqualFold compares it as it is"
}

// look reports a comparison of what a function returns with a constant; apart are the
// letters that EqualFold takes otherwise than that function.
func look(p *rule.Pass, b *ast.BinaryExpr, call *ast.CallExpr, name, apart string) {
	other := b.X
	if b.X == ast.Expr(call) {
		other = b.Y
	}
	text, constant := code.String(p.TypesInfo, other)
	sel, qualified := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if t := types.Default(p.TypesInfo.TypeOf(b)); !constant || !qualified || !cased(name, text) || !types.Identical(t, types.Typ[types.Bool]) {
		return
	}
	f := rule.Finding{
		Pos: b.Pos(), End: b.End(), Class: rule.A,
		Message: message(name),
	}
	if strings.ContainsAny(text, apart) || strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
		f.Class = rule.B
	}
	fold := p.Source(sel.X) + ".EqualFold(" + p.Source(call.Args[0]) + ", " + p.Source(other) + ")"
	if b.Op == token.NEQ {
		fold = "!" + fold
	}
	f.Fixes = code.Fix("Use strings.EqualFold", code.Replace(b, fold))
	p.Report(f)
}

// cased reports whether a text has letters, and all of them as a function leaves them. With
// another letter it is never equal to what the function returns.
func cased(name, text string) bool {
	lower, upper := strings.ToLower(text), strings.ToUpper(text)
	return lower != upper && (name == "ToLower" && text == lower || name == "ToUpper" && text == upper)
}
