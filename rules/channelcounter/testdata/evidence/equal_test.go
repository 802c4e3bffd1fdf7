package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCounter(t *testing.T) {
	for n := range 5 {
		b, a := before.NewCounter(), after.NewCounter()
		for range n {
			b.Inc()
			a.Inc()
		}
		if got, want := a.Sum(), b.Sum(); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
}
