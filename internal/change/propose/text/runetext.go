package text

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// RuneText makes the string of an ASCII character without an allocation. The runtime has
// the strings of one byte at hand, but asks for them only where bytes become a string
// (slicebytetostring in runtime/string.go, but not intstring).
var RuneText = prove.Transformation{
	Name:     "rune-text",
	Doc:      "A string that is made of one rune or byte and outlives the function becomes, for ASCII, the string of one byte that the runtime has at hand.",
	Saves:    prove.Allocs,
	Evidence: prove.Evidence(proofs, "rune-text", "BenchmarkTokens", "allocs", "no allocation for the text of an operator", 0),
	// It looks at the conversions on the target's line. What is joined or compared at once
	// has no memory of its own.
	Propose: prove.At(prove.Near, func(s *prove.Site) {
		for call := range prove.On[*ast.CallExpr](s) {
			if _, joined := s.Fn.File.Parent(call).(*ast.BinaryExpr); !joined && isRuneText(s.Fn.Info(), call) {
				c, why := proposeRuneText(s.Program, s.Fn, call)
				s.Add(types.ExprString(call)+" allocates", c, why)
			}
		}
	}),
}

// runeText is what the conversion becomes.
const runeText = `// HELPER returns string(r). That of an ASCII character takes no allocation.
func HELPER(r rune) string {
	if 0 <= r && r < 0x80 {
		return string([]byte{byte(r)})
	}
	return string(r)
}
`

// isRuneText reports whether a call is string(x), of an integer that a rune holds and that
// is no constant.
func isRuneText(info *types.Info, call *ast.CallExpr) bool {
	if len(call.Args) != 1 || !info.Types[call.Fun].IsType() || info.TypeOf(call) != types.Typ[types.String] || info.Types[call].Value != nil {
		return false
	}
	b, ok := info.TypeOf(call.Args[0]).Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int8, types.Uint8, types.Int16, types.Uint16, types.Int32:
		return true
	}
	return false
}

func proposeRuneText(p *prove.Program, fn *prove.Function, call *ast.CallExpr) (*model.Change, *prove.Reason) {
	f := fn.File
	if !code.Predeclared(fn.Obj.Pkg(), fn.Decl.End(), "string", "byte", "rune") || !code.Predeclared(fn.Obj.Pkg(), call.Pos(), "rune") {
		return nil, prove.Refuse("string, byte or rune means something else there")
	}
	name := ""
	text := p.Declare(f, func(i int) (string, []string) {
		name = prove.Numbered("runeText", i)
		return strings.ReplaceAll(runeText, "HELPER", name), []string{name}
	})
	var edits []model.Edit
	if text != "" {
		edits = append(edits, p.Below(fn, text))
	}
	arg := call.Args[0]
	open, closed := name+"(", ""
	if !types.Identical(fn.Info().TypeOf(arg), types.Typ[types.Int32]) {
		open, closed = name+"(rune(", ")"
	}
	edits = append(edits, p.Put(f, call.Pos(), arg.Pos(), open))
	if closed != "" {
		edits = append(edits, p.Insert(f, arg.End(), closed))
	}
	return p.Change(fn, edits, model.Change{
		Kind:  "rune-text",
		Title: fmt.Sprintf("%s: make %s in %s without an allocation for ASCII", f.Pkg.Name, prove.Short(types.ExprString(call)), fn.Obj.Name()),
		Obligations: []model.Obligation{{Text: name + " returns the same text", How: "proven",
			Why: "a character below 0x80 is one byte in UTF-8, and all others are left to string(r)"}},
	})
}
