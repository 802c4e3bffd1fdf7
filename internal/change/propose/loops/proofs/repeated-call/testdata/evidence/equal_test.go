package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestName(t *testing.T) {
	for _, s := range []string{"", "id", "ID", "url", "name", "é", "\xff", "httpſ"} {
		if x, y := before.Name(s), after.Name(s); x != y {
			t.Errorf("%q: %q, then %q", s, x, y)
		}
	}
}
