package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCounter(t *testing.T) {
	for _, s := range []string{"", "a", "a b", " a  bc "} {
		b, a := before.Counter(s), after.Counter(s)
		for range 5 {
			bw, bn := b()
			aw, an := a()
			if bw != aw || bn != an {
				t.Errorf("%q: before %q %d, after %q %d", s, bw, bn, aw, an)
			}
		}
	}
}
