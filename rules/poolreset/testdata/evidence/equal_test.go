package equal

import (
	"bytes"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// The first use of a buffer is what both have in common. After that, before
// repeats what was written earlier, and that must not be kept.
func FuzzLine(f *testing.F) {
	for _, s := range []string{"", "a", "two\nlines", strings.Repeat("long", 1000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var was, is bytes.Buffer
		err1, err2 := before.NewWriter().Line(&was, s), after.NewWriter().Line(&is, s)
		if was.String() != is.String() || err1 != nil || err2 != nil {
			t.Errorf("%q: %q %v, then %q %v", s, was.String(), err1, is.String(), err2)
		}
		w := after.NewWriter()
		for range 3 {
			is.Reset()
			if err := w.Line(&is, s); err != nil || is.String() != was.String() {
				t.Errorf("%q once more: %q %v, first %q", s, is.String(), err, was.String())
			}
		}
	})
}
