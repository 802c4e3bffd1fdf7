package trial

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// A Census is a first look at the allocations of benchmarks, in seconds for all
// of a package: a few iterations of each, in one process a side.
type Census struct {
	Suites  [2]*bench.Suite // of base and candidate
	Bins    [2]*bench.Binary
	Pattern string        // as for bench.Suite.Benchmarks
	Limit   time.Duration // of each process; all of them may take mostLimits times as much
	// Wanted says by what the first process of each side showed which benchmarks are counted
	// again, so that it is certain; nil for all whose sides differ.
	Wanted func([]model.Exact) bool
}

// A Counted is what a census says about one benchmark.
type Counted struct {
	Counts []model.Exact // nil where it came to no result
	Pair   [2]model.Sample
}

// A census takes censusN iterations, enough to tell a whole object per op from
// what a process allocates once (verdict.Tolerance), and few enough for
// benchmarks that take long. Where the sides differ, censusRuns of twice as many
// follow: as in Trial.Counts they have to agree, and what does not grow with the
// iterations is taken off.
const (
	censusN    = 16
	censusRuns = 3
)

// mostLimits is how many limits of a process a census may take in all. What it has not
// counted by then is missing.
const mostLimits = 3

// Count counts what the benchmarks allocate. Those that fail, or that it has no
// time for, are missing.
func (c Census) Count(ctx context.Context) (map[model.Benchmark]Counted, error) {
	until := time.Now().Add(mostLimits * c.Limit)
	first, err := c.run(ctx, c.Pattern, censusN, until)
	if err != nil {
		return nil, err
	}
	out := make(map[model.Benchmark]Counted)
	var differ []string
	for bm, pair := range first {
		counts := verdict.Counts([][2]model.Sample{pair}, 0)
		if slices.ContainsFunc(counts, func(e model.Exact) bool { return !e.Equal() }) {
			if c.Wanted == nil || c.Wanted(counts) {
				differ = append(differ, bm.Regexp())
			}
			counts = nil
		}
		out[bm] = Counted{counts, pair}
	}
	if len(differ) == 0 {
		return out, nil
	}
	slices.Sort(differ)
	units := make(map[model.Benchmark][][2]model.Sample)
	for range censusRuns {
		again, err := c.run(ctx, strings.Join(differ, "|"), 2*censusN, until)
		if err != nil {
			return out, err
		}
		for bm, pair := range again {
			units[bm] = append(units[bm], pair)
		}
		if len(units) == 0 {
			break // they take too long for a census
		}
	}
	for bm, pairs := range units {
		if one := out[bm]; one.Counts == nil && len(pairs) == censusRuns {
			one.Counts = Growing(verdict.Counts(pairs, 0), pairs[censusRuns-1], one.Pair)
			out[bm] = one
		}
	}
	return out, nil
}

// run runs one process of each side, both until some time, and returns the samples of
// benchmarks that came to a result in both. A benchmark that ends its process is not the
// census's to report.
func (c Census) run(ctx context.Context, pattern string, n int64, until time.Time) (map[model.Benchmark][2]model.Sample, error) {
	var found [2]map[model.Benchmark]model.Sample
	for i, b := range c.Bins {
		limit := min(c.Limit, time.Until(until))
		if limit <= 0 {
			return nil, nil
		}
		var err error
		if found[i], err = c.Suites[i].Census(ctx, b, pattern, n, limit); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			return nil, nil
		}
	}
	out := make(map[model.Benchmark][2]model.Sample)
	for bm, sample := range found[0] {
		if other, ok := found[1][bm]; ok {
			out[bm] = [2]model.Sample{sample, other}
		}
	}
	return out, nil
}
