package text

import (
	"fmt"
	"go/types"
	"math"
	"strconv"
	"testing"
)

// What a verb becomes for numbers is what fmt prints of them, and nothing is
// left out of the table that verb accepts.
func TestNumbers(t *testing.T) {
	s := &splitter{strc: "strconv"}
	floats := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1.0 / 3, 123456789, 1e6, 999999.5, 1e20, 1e21, -1e21, 1e-4, 1e-5, 5e-324,
		math.MaxFloat64, math.MaxFloat32, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, verb := range []string{"f", "e", "g", "v", ".0f", ".1f", ".9f", ".0e", ".3e", ".0g", ".1g", ".3g", ".9g"} {
		for _, size := range []types.BasicKind{types.Float32, types.Float64} {
			b := types.Typ[size]
			text := s.float(verb, b, b)
			var kind rune
			var precision, bits int
			value := "$1"
			if size == types.Float32 {
				value = "float64($1)"
			}
			if _, err := fmt.Sscanf(text, "strconv.AppendFloat($D, "+value+", '%c', %d, %d)", &kind, &precision, &bits); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			for _, f := range floats {
				var arg any = f
				if size == types.Float32 {
					arg, f = float32(f), float64(float32(f))
				}
				if want, got := fmt.Sprintf("%"+verb, arg), strconv.FormatFloat(f, byte(kind), precision, bits); got != want {
					t.Errorf("%%%s of %v: fmt prints %q, %s %q", verb, arg, want, text, got)
				}
			}
		}
	}
	for verb, base := range bases {
		for _, n := range []int64{0, 1, -1, 255, math.MaxInt64, math.MinInt64} {
			if want, got := fmt.Sprintf("%"+verb, n), strconv.FormatInt(n, base); got != want {
				t.Errorf("%%%s of %d: fmt prints %q, FormatInt %q", verb, n, want, got)
			}
			if want, got := fmt.Sprintf("%"+verb, uint64(n)), strconv.FormatUint(uint64(n), base); got != want {
				t.Errorf("%%%s of %d: fmt prints %q, FormatUint %q", verb, uint64(n), want, got)
			}
		}
	}
}
