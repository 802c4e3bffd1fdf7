package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCheck(t *testing.T) {
	for _, name := range []string{"", "name", "a name", " ", "line\n", "ä\n ", "\xff \n"} {
		old, now := before.Check(before.Position{File: "f", Line: 1, Column: 2}, name), after.Check(after.Position{File: "f", Line: 1, Column: 2}, name)
		if (old == nil) != (now == nil) || old != nil && old.Error() != now.Error() {
			t.Errorf("%q: %v, then %v", name, old, now)
		}
	}
}
