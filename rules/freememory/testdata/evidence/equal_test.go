package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestBatch(t *testing.T) {
	load := func() []int { return []int{1, 2, 3} }
	if got, want := after.Batch(load), before.Batch(load); got != want {
		t.Errorf("%d, want %d", got, want)
	}
}
