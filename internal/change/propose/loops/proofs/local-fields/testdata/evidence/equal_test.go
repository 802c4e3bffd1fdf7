package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestSkip(t *testing.T) {
	for _, text := range []string{"", "x", " ", "\n \tx ", "  \n\n", "a\n"} {
		b, a := before.Scanner{Text: []byte(text)}, after.Scanner{Text: []byte(text)}
		b.Skip()
		a.Skip()
		if a.Pos != b.Pos || a.Line != b.Line {
			t.Errorf("%q: before %d, %d, after %d, %d", text, b.Pos, b.Line, a.Pos, a.Line)
		}
	}
}
