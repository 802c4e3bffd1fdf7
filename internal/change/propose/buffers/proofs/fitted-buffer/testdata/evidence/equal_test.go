package equal

import (
	"maps"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	parts := []string{"", "a=1;", " ", "b = 2 = 3;", "=", ";", strings.Repeat("x", 4094), strings.Repeat("n=v;", 1024)}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				text := a + b + c
				x, errX := before.Parse(text)
				y, errY := after.Parse(text)
				if !maps.Equal(x, y) || errX != errY {
					t.Errorf("%q: %q, %v, then %q, %v", text, x, errX, y, errY)
				}
			}
		}
	}
}
