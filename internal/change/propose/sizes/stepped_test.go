package sizes

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestSteppedText compares the number that is written for the head of a loop with how often such a loop runs.
func TestSteppedText(t *testing.T) {
	for _, length := range []bool{true, false} {
		for by := int64(1); by <= 3; by++ {
			for step := int64(1); step <= 3; step++ {
				if !length && by*step > 1 {
					continue // see read
				}
				for more := int64(-5); more <= 5; more++ {
					st := stepped{len: length, by: by, step: step, more: more}
					text, signed := st.text("x")
					if signed != strings.Contains(text, "max(") {
						t.Fatalf("%+v: %s, signed %v", st, text, signed)
					}
					for _, x := range []int64{-1 << 63, -7, -1, 0, 1, 2, 3, 4, 5, 6, 7, 19} {
						if x < 0 && length {
							continue
						}
						runs := 0
						for i := int64(0); x > -100 && i < x/by+more; i += step {
							runs++
						}
						now := strings.NewReplacer("len(x)", fmt.Sprint(x), "(x,", fmt.Sprintf("(%d,", x)).Replace(text)
						v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, now)
						if err != nil {
							t.Fatal(err)
						}
						if got, _ := constant.Int64Val(v.Value); got != int64(runs) {
							t.Errorf("%+v: %s of %d is %d, the loop runs %d times", st, text, x, got, runs)
						}
					}
				}
			}
		}
	}
}
