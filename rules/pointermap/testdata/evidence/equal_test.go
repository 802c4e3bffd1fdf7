package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestSum(t *testing.T) {
	names := []string{"a", "b", "a", "", "c"}
	for n := range len(names) + 1 {
		if b, a := before.New(names[:n]).Sum(), after.New(names[:n]).Sum(); a != b {
			t.Errorf("%q: %d, then %d", names[:n], b, a)
		}
	}
}
