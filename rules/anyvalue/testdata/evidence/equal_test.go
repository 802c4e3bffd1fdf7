package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestAdd(t *testing.T) {
	b, a := before.Counters{}, after.Counters{}
	for i, name := range []string{"x", "y", "x", "", "x", "y"} {
		if n, m := b.Add(name, int64(i*i-3)), a.Add(name, int64(i*i-3)); n != m {
			t.Errorf("%s: %d, then %d", name, n, m)
		}
	}
}
