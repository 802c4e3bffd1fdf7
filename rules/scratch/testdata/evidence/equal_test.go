package equal

import (
	"slices"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "a", "a a b\nc\n\nlonger line of several words", "x y z\nx\nx x x x x"} {
		f.Add(s, 3)
		f.Add(s, 0)
	}
	f.Fuzz(func(t *testing.T, text string, pad int) {
		if pad < 0 || pad > 1000 {
			t.Skip()
		}
		var lines [][]string
		for l := range strings.Lines(text) {
			lines = append(lines, strings.Fields(l))
		}
		if x, y := before.Distinct(lines), after.Distinct(lines); !slices.Equal(x, y) {
			t.Errorf("%v, then %v", x, y)
		}
		words := strings.Fields(text)
		if x, y := before.Checksums(words, pad), after.Checksums(words, pad); !slices.Equal(x, y) {
			t.Errorf("%v, then %v", x, y)
		}
	})
}
