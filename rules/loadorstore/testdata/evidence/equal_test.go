package equal

import (
	"sync"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCount(t *testing.T) {
	var b before.Counter
	var a after.Counter
	for _, name := range []string{"", "a", "a", "b", "", "a"} {
		if x, y := b.Count(name), a.Count(name); x != y {
			t.Errorf("%q: %d, then %d", name, x, y)
		}
	}
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() { a.Count("many") })
	}
	wg.Wait()
	if n := a.Count("many"); n != 101 {
		t.Errorf("%d of 101 are counted", n)
	}
}
