package propose

import "testing"

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
