package prove

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/source/edit"
)

func TestIndented(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb":                        "a\n\tb",
		"a(`x\ny`, 1)\nb":             "a(`x\ny`, 1)\n\tb",
		"`x\r\ny`\nb(`\n`)\n":         "`x\r\ny`\n\tb(`\n`)\n\t",
		"a // `\nb // `\nc":           "a // `\n\tb // `\n\tc",
		"'`' + \"`\"\nb":              "'`' + \"`\"\n\tb",
		"if a {\n`never closed\nx\ny": "if a {\n\t`never closed\n\tx\n\ty",
	} {
		if got := indented(text, "\t"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzLineEdits(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n")
	f.Add("", "a")
	f.Add("a\n\n\nb", "\nb\na\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		got, err := edit.Apply([]byte(a), lineEdits("f", []byte(a), []byte(b)))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != b {
			t.Errorf("edits from %q to %q give %q", a, b, got)
		}
	})
}
