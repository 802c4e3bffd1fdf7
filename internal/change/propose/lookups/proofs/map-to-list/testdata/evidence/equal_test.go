package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// Symbols that match one language at most have one answer in any order.
func TestLanguage(t *testing.T) {
	for _, s := range []string{"", "main.go", "/usr/local/go/src", "java/lang", "sun/misc", "a.rb", "gems/rack", "./node_modules/x", "b.js", "c.py", ".p", "go"} {
		if a, b := before.Language(s), after.Language(s); a != b {
			t.Errorf("%q: before %q, after %q", s, a, b)
		}
	}
}
