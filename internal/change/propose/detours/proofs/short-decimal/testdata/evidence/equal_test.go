package equal

import (
	"fmt"
	"reflect"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzSum(f *testing.F) {
	for _, text := range []string{"", "0", "-0", "+1", "999999999999999999", "-999999999999999999", "9223372036854775808", "1_0", "0x1", " 1", "١"} {
		f.Add(text, "1")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, errX := before.Sum([]string{a, b})
		y, errY := after.Sum([]string{a, b})
		if !reflect.DeepEqual(x, y) || fmt.Sprint(errX) != fmt.Sprint(errY) {
			t.Errorf("%q + %q: %v, %v, then %v, %v", a, b, x, errX, y, errY)
		}
	})
}
