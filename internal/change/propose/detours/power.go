package detours

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/code"
)

// Power raises to small powers without math.Pow.
var Power = prove.Transformation{
	Name: "small-power",
	Doc: "math.Pow of a constant exponent 2, 3 or 4, or of the base 2 or 10, becomes a function for that: some multiplications, the bits of an exponent, or a table. " +
		"Values for which these round otherwise still go to math.Pow.",
	Saves:    prove.Time,
	Evidence: prove.Evidence(proofs, "small-power", "BenchmarkDeviation", "cpu", "a square is a multiplication", 0),
	// It looks at the calls on the target's line, and with them at the others of the function.
	Propose: prove.At(prove.Here, func(s *prove.Site) {
		seen := map[int]bool{}
		for call := range prove.On[*ast.CallExpr](s) {
			if k := powerOf(s.Fn, call); k >= 0 && !seen[k] {
				seen[k] = true
				c, why := proposePower(s.Program, s.Fn, k)
				s.Add(prove.Short(types.ExprString(call))+" is a small power", c, why)
			}
		}
	}),
}

// A power is math.Pow of a constant.
type power struct {
	of   string // the constant
	arg  int    // and which argument it is
	name string
	text string // a function of the other argument; its name and package math stand for %[1]s and %[2]s
	why  string
}

// For the order in which math.Pow multiplies see pow in math/pow.go of Go: it squares the mantissa, and puts the exponents
// aside. So it has the bits of a product as long as neither that nor a part of it is denormal; where it overflows both are infinite.
var powers = []power{
	{"2", 1, "square", multiplied("x²", "2", "if s := float64(x * x); s"), mantissas},
	{"3", 1, "cube", multiplied("x³", "3", "if s := float64(float64(x*x) * x); %[2]s.Abs(s)"), mantissas},
	{"4", 1, "fourth", multiplied("x⁴", "4", "s := float64(x * x)\n\tif s = float64(s * s); s"), mantissas},
	{"2", 0, "twoTo", `// %[1]s returns 2 to the power of x. A power of two with a whole exponent is that exponent alone.
func %[1]s(x float64) float64 {
	if n := int(x); float64(n) == x && -1022 <= n && n <= 1023 {
		return %[2]s.Float64frombits(uint64(n+1023) << 52)
	}
	return %[2]s.Pow(2, x)
}
`, "a power of two is exact, and has no other bits than those of its exponent"},
	{"10", 0, "tenTo", `// %[1]s returns 10 to the power of x. These powers, and what math.Pow multiplies on the way to them, are exact.
func %[1]s(x float64) float64 {
	if n := int(x); float64(n) == x && -22 <= n && n <= 22 {
		return %[2]s.Pow10(n)
	}
	return %[2]s.Pow(10, x)
}
`, "up to 10²² all products on the way are exact, so that both have the nearest number; the inverse is rounded once in both"},
}

const mantissas = "it multiplies the same numbers in the same order, unless the result is denormal, and fuses no product with a sum, as each is converted to float64"

// multiplied is a function that returns a product where it has the bits of math.Pow's.
func multiplied(is, exponent, normal string) string {
	return `// %[1]s returns ` + is + `. What is too small for a normal number math.Pow rounds otherwise.
func %[1]s(x float64) float64 {
	` + normal + ` >= 0x1p-1022 {
		return s
	}
	return %[2]s.Pow(x, ` + exponent + `)
}
`
}

// powerOf returns which of the powers a call is; -1 for others.
func powerOf(fn *prove.Function, call *ast.CallExpr) int {
	info := fn.Info()
	if !code.IsFunc(info, call, "math", "Pow") || len(call.Args) != 2 {
		return -1
	}
	return slices.IndexFunc(powers, func(w power) bool {
		v := info.Types[call.Args[w.arg]].Value
		return v != nil && v.ExactString() == w.of && info.Types[call.Args[1-w.arg]].Value == nil
	})
}

func proposePower(p *prove.Program, fn *prove.Function, kind int) (*model.Change, *prove.Reason) {
	f, end, w := fn.File, fn.Decl.End(), powers[kind]
	pkg, name := p.Qualifier(f, end, "math"), ""
	if pkg == "" || !code.Predeclared(fn.Obj.Pkg(), end, "float64", "int", "uint64") {
		return nil, prove.Refuse("a name that is needed means something else there")
	}
	text := p.Declare(f, func(i int) (string, []string) {
		name = prove.Numbered(w.name, i)
		return fmt.Sprintf(w.text, name, pkg), []string{name}
	})
	var edits []model.Edit
	var gone []ast.Node
	for call := range code.All[*ast.CallExpr](fn.Decl.Body) {
		if powerOf(fn, call) != kind {
			continue
		}
		if other := p.OtherElsewhere(fn.Info(), call.Args[w.arg]); other != "" {
			return nil, prove.Refuse(other + " may be another number in other builds")
		}
		if f.Commented(call) {
			return nil, prove.Refuse("a comment stands in " + prove.Short(types.ExprString(call)))
		}
		x := call.Args[1-w.arg]
		gone = append(gone, call.Fun)
		edits = append(edits, p.Put(f, call.Pos(), x.Pos(), name+"("), p.Put(f, x.End(), call.End(), ")"))
	}
	paths, old := []string(nil), "math"
	if text != "" {
		paths, old = []string{"math"}, ""
		edits = append(edits, p.Below(fn, text))
	}
	imports, ok := p.Reimport(f, gone[0].Pos(), paths, old, gone...)
	if !ok {
		return nil, prove.Refuse("the imports of " + f.Name + " cannot be changed")
	}
	edits = append(imports, edits...)
	return p.Change(fn, edits, model.Change{
		Kind:  "small-power",
		Title: fmt.Sprintf("%s: raise to the power of %s without math.Pow in %s", f.Pkg.Name, w.of, fn.Obj.Name()),
		Obligations: []model.Obligation{
			{Text: name + " returns the bits that math.Pow does", How: "assumed", Why: w.why + "; the assembly that math.Pow is on s390x was not compared"},
		},
	})
}
