package equal

import (
	"math/rand"
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestNearest(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for n := 1; n < 60; n++ {
		a, b := make([][]before.Edge, n), make([][]after.Edge, n)
		for range 3 * n {
			from, to, cost := random.Intn(n), random.Intn(n), random.Intn(5)
			a[from] = append(a[from], before.Edge{To: to, Cost: cost})
			b[from] = append(b[from], after.Edge{To: to, Cost: cost})
		}
		if x, y := before.Nearest(a), after.Nearest(b); !slices.Equal(x, y) {
			t.Errorf("%d places: before %v, after %v", n, x, y)
		}
	}
}
