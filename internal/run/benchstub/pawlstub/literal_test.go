package pawlstub

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"reflect"
	"testing"
)

// FuzzLiteral: the text of a string or a number is an expression of that value.
func FuzzLiteral(f *testing.F) {
	f.Add("plain", 1.5, int64(-3))
	f.Add("`tick` \"quote\" \\ \n two\r", 1e21, int64(math.MinInt64))
	f.Add("\xff\x00\ufeff\u2028", 1e-320, int64(0))
	f.Fuzz(func(t *testing.T, s string, x float64, n int64) {
		if len(s) >= dataAt {
			return // goes to a file as it is
		}
		text := func(v any) string {
			t.Helper()
			parts, _, err := newPrinter(own).print("x", reflect.ValueOf(v), bare)
			if err != nil {
				t.Fatal(err)
			}
			return source(parts)
		}
		value := func(v any) constant.Value {
			t.Helper()
			tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text(v))
			if err != nil {
				t.Fatalf("%v is written as %s: %v", v, text(v), err)
			}
			return tv.Value
		}
		if got := constant.StringVal(value(s)); got != s {
			t.Errorf("%q came back as %q", s, got)
		}
		if got, _ := constant.Int64Val(value(n)); got != n {
			t.Errorf("%d came back as %d", n, got)
		}
		if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 {
			return // no constants
		}
		if got, _ := constant.Float64Val(value(x)); got != x {
			t.Errorf("%v came back as %v", x, got)
		}
	})
}
