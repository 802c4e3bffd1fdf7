package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCount(t *testing.T) {
	names := []string{"", "a", "A", "é", "É", "\xff", "Content-Type", "content-type"}
	for n := range names {
		for _, name := range names {
			if x, y := before.Count(names[:n], name), after.Count(names[:n], name); x != y {
				t.Errorf("%q in %q: %d, then %d", name, names[:n], x, y)
			}
		}
	}
}
