package bench

import (
	"context"
	"errors"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// Census runs the benchmarks that match pattern, which is as for Benchmarks, for
// n iterations each, all in one process that may take limit. It returns the
// samples of those that came to their end by then; late is set where others did
// not. Allocations are what it is for: its times say next to nothing.
func (s *Suite) Census(ctx context.Context, b *Binary, pattern string, n int64, limit time.Duration) (found map[model.Benchmark]model.Sample, late bool, err error) {
	j := job{bin: b, pattern: pattern, n: n, procs: 1, cpu: gocmd.NoCPU, timeout: limit, args: []string{"-test.v"}}
	o, err := s.run(ctx, j)
	if late = errors.Is(err, errLate); err != nil && !late {
		return nil, false, err
	}
	found = make(map[model.Benchmark]model.Sample)
	for _, l := range leaves(o.records, b.Pkg) {
		bm := l.Benchmark
		if m, ok := last(o.records, bm.Name); ok && m.n == n {
			found[bm] = m.sample(model.Plan{Benchmark: bm, Mode: model.Duet}, "", 0, s.clockOf(b))
		}
	}
	return found, late, nil
}
