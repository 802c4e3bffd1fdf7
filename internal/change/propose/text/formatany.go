package text

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// FormatAny makes the text of a value whose type is known only at run time without fmt, where it is
// a string, a number or a bool.
var FormatAny = prove.Transformation{
	Name:     "format-any",
	Doc:      "The text that fmt.Sprint or Sprintf(\"%v\", …) makes of a value of type any comes from a type switch: a string as it is, numbers and bools from package strconv, and all else from fmt. Of a slice of values, one string is returned as it is.",
	Saves:    prove.Both,
	Evidence: prove.Evidence(proofs, "format-any", "BenchmarkRow", "allocs", "no allocation for cells that are strings or small numbers", 0),
	// It looks at the calls on the target's line.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			if arg := anyOperand(s.Fn, call); arg != nil {
				c, why := proposeFormatAny(s.Program, s.Fn, call, arg)
				s.Add(prove.Short(types.ExprString(call))+" goes through fmt", c, why)
			}
		}
	}),
}

// anyTextOf is what the call becomes. The types of the cases have no methods, so that fmt prints
// the values themselves: %v is %d of an integer, %g of a float64 and %t of a bool.
const anyTextOf = `// HELPER returns fmt.Sprint(v). Strings, bools and common numbers do not go through fmt.
func HELPER(v ANY) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return STRCONV.FormatBool(v)
	case int:
		return STRCONV.Itoa(v)
	case int64:
		return STRCONV.FormatInt(v, 10)
	case uint64:
		return STRCONV.FormatUint(v, 10)
	case float64:
		var buf [24]byte
		return string(STRCONV.AppendFloat(buf[:0], v, 'g', -1, 64))
	}
	return FMT.Sprint(v)
}
`

// anyTextOfAll is what a call becomes whose operands are in a slice, such as those of a logger.
const anyTextOfAll = `// HELPER returns fmt.Sprint(args...). One string does not go through fmt.
func HELPER(args []ANY) string {
	if len(args) == 1 {
		if s, ok := args[0].(string); ok {
			return s
		}
	}
	return FMT.Sprint(args...)
}
`

// anyOperand returns the operand of a call that prints one value of an interface without methods, or
// a slice of them; nil for other calls.
func anyOperand(fn *prove.Function, call *ast.CallExpr) ast.Expr {
	args := call.Args
	switch name := fullName(fn, call); {
	case name == "fmt.Sprintf" && len(args) == 2:
		if v := fn.Info().Types[args[0]].Value; v == nil || v.Kind() != constant.String || constant.StringVal(v) != "%v" {
			return nil
		}
		args = args[1:]
	case name != "fmt.Sprint":
		return nil
	}
	if len(args) != 1 || len(call.Args) != 1 && call.Ellipsis.IsValid() {
		return nil
	}
	t := fn.Info().TypeOf(args[0])
	if call.Ellipsis.IsValid() {
		return args[0] // a []any, as Sprint takes it
	}
	if !code.IsAny(t) || code.Generic(t) {
		return nil
	}
	return args[0]
}

func proposeFormatAny(p *prove.Program, fn *prove.Function, call *ast.CallExpr, arg ast.Expr) (*model.Change, *prove.Reason) {
	f, end := fn.File, fn.Decl.End()
	if f.Commented(call) {
		return nil, prove.Refuse("there is a comment within the call")
	}
	if !code.Predeclared(fn.Obj.Pkg(), end, "string", "byte", "bool", "int", "int64", "uint64", "float64") {
		return nil, prove.Refuse("the name of a basic type means something else there")
	}
	format, numbers := p.Qualifier(f, end, "fmt"), p.Qualifier(f, end, "strconv")
	stem, body, paths, old := "textOf", anyTextOf, []string{"strconv"}, ""
	if call.Ellipsis.IsValid() {
		stem, body, paths = "textOfAll", anyTextOfAll, nil
	}
	empty := "interface{}"
	if p.GoAtLeast(f, "go1.18") && code.Predeclared(fn.Obj.Pkg(), end, "any") {
		empty = "any"
	}
	name := ""
	text := p.Declare(f, func(i int) (string, []string) {
		name = prove.Numbered(stem, i)
		return strings.NewReplacer("HELPER", name, "ANY", empty, "STRCONV", numbers, "FMT", format).Replace(body), []string{name}
	})
	if text == "" {
		paths, old = nil, "fmt"
	}
	imports, ok := p.Reimport(f, call.Pos(), paths, old, call.Fun)
	if format == "" || numbers == "" || !ok {
		return nil, prove.Refuse("packages fmt and strconv cannot both be used in " + f.Name)
	}
	edits := append(imports, p.Put(f, call.Pos(), call.End(), name+"("+p.Source(f, arg)+")"))
	if text != "" {
		edits = append(edits, p.Below(fn, text))
	}
	return p.Change(fn, edits, model.Change{
		Kind:  "format-any",
		Title: fmt.Sprintf("%s: make %s in %s without fmt where it is a string or a number", f.Pkg.Name, prove.Short(types.ExprString(call)), fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: name + " returns the same text", How: "proven",
				Why: "predeclared types have no methods that fmt would call, %v prints them as strconv does, and all others are left to fmt"},
			{Text: "the values are often strings, bools or common numbers", How: "assumed", Why: "measurement decides whether that pays"},
		},
	})
}
