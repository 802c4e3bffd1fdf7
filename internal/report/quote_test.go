package report_test

import (
	"encoding/json"
	"testing"

	"github.com/pawl-dev/pawl/internal/report/quote"
)

// What others wrote stays readable, and a terminal obeys none of it.
func TestQuoted(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain\ttext\nof two lines\n":           "plain\ttext\nof two lines\n",
		"größer \u2192 世界":                      "größer \u2192 世界",
		"\x1b]0;owned\x07\x1b[31mred\x1b[0m":    `\x1b]0;owned\x07\x1b[31mred\x1b[0m`,
		"safe\rforged\r\n":                      "safe\\x0dforged\\x0d\n",
		"\u202egnp\u2066 \u200f \u061c":         `\u202egnp\u2066 \u200f \u061c`,
		"c1 \u009b31m, del \x7f, byte \x9b\xff": `c1 \u009b31m, del \u007f, byte \x9b\xff`,
	} {
		if got := quote.Text(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// JSON means the same after it.
func TestShownJSON(t *testing.T) {
	t.Parallel()
	const want = "a\x1b[31m\u202e\u009b\x7f\r\\x1b"
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal([]byte(quote.Shown(string(text))), &got); err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
}
