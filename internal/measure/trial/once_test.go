package trial

import (
	"context"
	"testing"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
)

// counted is a machine that allocates so many objects and bytes in a slice of N
// iterations.
type counted func(arm int, n int64) (objects, bytes int64)

func (c counted) Unit(_ context.Context, p model.Plan, _, _ *bench.Binary, _ Unit) ([2]model.Sample, error) {
	var pair [2]model.Sample
	for i := range pair {
		objects, bytes := c(i, p.N)
		pair[i] = model.Sample{Benchmark: p.Benchmark, N: p.N, Allocs: uint64(objects), Bytes: uint64(bytes), CPUNs: 1, WallNs: 1}
	}
	return pair, nil
}

// What a slice allocates once is taken off equal counts too: a record of them,
// and the counts of a run, come without it.
func TestEqualCountsWithoutOnce(t *testing.T) {
	m := counted(func(_ int, n int64) (int64, int64) { return 3*n + 1234, 48*n + 80000 })
	counts, pairs, err := New(m, 1).Counts(t.Context(), plan, nil, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{3, 48} {
		if e := counts[i]; !e.Equal() || e.Before != want || e.After != want {
			t.Errorf("%+v, want %v on both sides", e, want)
		}
	}
	if len(pairs) != 1 {
		t.Errorf("%d units; one says that they are equal", len(pairs))
	}
}

// A count that is equal stays so when what is allocated once is taken off: the
// runtime's own allocations weigh twice as much in the difference of two slices.
func TestEqualCountStaysEqual(t *testing.T) {
	m := counted(func(arm int, n int64) (int64, int64) {
		objects, bytes := 5*n, 64*n
		if arm == 1 {
			objects = 3 * n
		}
		if arm == 1 && n == plan.N || arm == 0 && n < plan.N { // a worker that is started in one slice, or in another
			bytes += 10000
		}
		return objects, bytes
	})
	counts, _, err := New(m, 1).Counts(t.Context(), plan, nil, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !counts[0].Fell() || !counts[1].Equal() {
		t.Errorf("%+v", counts)
	}
}
