package equal

import (
	"maps"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	parts := []string{"", "a=1", "\n", "\r\n", "\r", "# b = 2", "b = 2 = 3", strings.Repeat("x", 65535), "="}
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
