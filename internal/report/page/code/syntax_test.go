package code

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGoLines(t *testing.T) {
	lines := []string{"\tfor i := range 10 { // ten", "s := `a", "b`", "", "x /* more", "of it */ y := 'c'"}
	want := [][]piece{
		{{"", "\t"}, {"kw", "for"}, {"", " i := "}, {"kw", "range"}, {"", " "}, {"num", "10"}, {"", " { "}, {"com", "// ten"}},
		{{"", "s := "}, {"str", "`a"}},
		{{"str", "b`"}},
		nil,
		{{"", "x "}, {"com", "/* more"}},
		{{"com", "of it */"}, {"", " y := "}, {"str", "'c'"}},
	}
	if d := cmp.Diff(want, goLines(lines)); d != "" {
		t.Errorf("pieces differ (-want +got):\n%s", d)
	}
}

// Hunks begin and end anywhere, and what comes as .go need not be Go.
func FuzzGoLines(f *testing.F) {
	for _, s := range []string{"}\n\treturn `a\nb", "*/ x := \"open\n'c", "\r\n`a\r\nb`", "\ufeff\x00/*", "//line x:1\nfoo"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		lines := strings.Split(src, "\n")
		for i, pieces := range goLines(lines) {
			var b strings.Builder
			for _, p := range pieces {
				b.WriteString(p.Text)
			}
			if b.String() != lines[i] {
				t.Fatalf("line %d is %q, and was %q", i, b.String(), lines[i])
			}
		}
	})
}
