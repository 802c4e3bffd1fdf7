package detours

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Decimal reads short decimal numbers without the scanner of package big.
var Decimal = prove.Transformation{
	Name:     "short-decimal",
	Doc:      "SetString of a *big.Int with base 10 asks strconv.ParseInt first where the text is at most 18 bytes long, and is left out where that knows the number.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "short-decimal", "BenchmarkSum", "cpu", "a word is read without a reader, its state and a list of words", 0),
	// It looks at the calls on the target's line, and with them at the others of the function.
	Propose: prove.At(prove.Here, func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			if setsDecimal(s.Fn, call) != nil {
				c, why := proposeDecimal(s.Program, s.Fn)
				s.Add(prove.Short(types.ExprString(call))+" reads a decimal number", c, why)
				return
			}
		}
	}),
}

// readDecimal is SetString with base 10. ParseInt takes what that takes, where it is short: a sign and ASCII digits, without
// underscores. What it does not take is asked of SetString, as before. 18 digits have no number that is too large.
const readDecimal = `// %[1]s is z.SetString(s, 10), and quicker for a short number.
func %[1]s(z *%[2]s.Int, s string) (*%[2]s.Int, bool) {
	if len(s) <= 18 {
		if n, err := %[3]s.ParseInt(s, 10, 64); err == nil {
			return z.SetInt64(n), true
		}
	}
	return z.SetString(s, 10)
}
`

// setsDecimal returns the method that a call names, where it sets a number to a decimal text that is not constant; nil for others.
func setsDecimal(fn *prove.Function, call *ast.CallExpr) *ast.SelectorExpr {
	info := fn.Info()
	sel, ok := call.Fun.(*ast.SelectorExpr)
	target := code.Callee(info, call)
	if !ok || target == nil || target.FullName() != "(*math/big.Int).SetString" || len(call.Args) != 2 {
		return nil
	}
	base, known := prove.ConstInt(info, call.Args[1])
	if !known || base != 10 || info.Types[call.Args[0]].Value != nil || !code.IsNamed(info.TypeOf(sel.X), "math/big", "Int") {
		return nil
	}
	return sel
}

func proposeDecimal(p *prove.Program, fn *prove.Function) (*model.Change, *prove.Reason) {
	f, end, name := fn.File, fn.Decl.End(), ""
	big, strconv := p.Qualifier(f, end, "math/big"), p.Qualifier(f, end, "strconv")
	if big == "" || strconv == "" || !code.Predeclared(fn.Obj.Pkg(), end, "string", "bool", "len", "nil", "true") {
		return nil, prove.Refuse("a name that is needed means something else there")
	}
	text := p.Declare(f, func(i int) (string, []string) {
		name = prove.Numbered("setDecimal", i)
		return fmt.Sprintf(readDecimal, name, big, strconv), []string{name}
	})
	var edits []model.Edit
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		sel := setsDecimal(fn, call)
		if sel == nil {
			continue
		}
		if other := p.OtherElsewhere(fn.Info(), call.Args[1]); other != "" || f.Commented(call) {
			return nil, prove.Refuse("the base may be another in other builds, or a comment stands in " + prove.Short(types.ExprString(call)))
		}
		to := name + "("
		if _, pointer := fn.Info().TypeOf(sel.X).Underlying().(*types.Pointer); !pointer {
			to += "&"
		}
		edits = append(edits, p.Put(f, call.Pos(), sel.X.Pos(), to), p.Put(f, sel.X.End(), call.Args[0].Pos(), ", "), p.Put(f, call.Args[0].End(), call.End(), ")"))
	}
	if text != "" {
		imports, ok := p.Reimport(f, fn.Decl.Pos(), []string{"math/big", "strconv"}, "")
		if !ok {
			return nil, prove.Refuse("package strconv cannot be imported in " + f.Name)
		}
		edits = append(append(edits, imports...), p.Below(fn, text))
	}
	return p.Change(fn, edits, model.Change{
		Kind:  "short-decimal",
		Title: fmt.Sprintf("%s: read short decimal numbers by strconv in %s", f.Pkg.Name, fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: "the same texts are numbers, and the same ones", How: "proven", Why: "with base 10 both take a sign and digits, and nothing else; what strconv does not take is read as before"},
		},
	})
}
