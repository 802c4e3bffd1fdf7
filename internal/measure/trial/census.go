package trial

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A Census is a first look at the allocations of benchmarks, in seconds for all
// of a package: a few iterations of each, in one process a side.
type Census struct {
	Suites  [2]CensusTaker // of base and candidate
	Bins    [2]*bench.Binary
	Pattern string        // as for bench.Suite.Benchmarks
	Limit   time.Duration // of each process; all of them may take mostLimits times as much
	// Wanted says by what the first process of each side showed which benchmarks are counted
	// again, so that it is certain; nil for all whose sides differ.
	Wanted func([]model.Exact) bool
}

// A CensusTaker runs the benchmarks that match a pattern, for n iterations each, in one process that may take limit;
// late is set where some did not come to their end. A bench.Suite is one.
type CensusTaker interface {
	Census(ctx context.Context, b *bench.Binary, pattern string, n int64, limit time.Duration) (found map[model.Benchmark]model.Sample, late bool, err error)
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
	first, err := c.first(ctx, until)
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
			one.Counts = growing(verdict.Counts(pairs, 0), pairs[censusRuns-1], one.Pair)
			out[bm] = one
		}
	}
	return out, nil
}

// first counts each benchmark once on each side. Where that takes longer than it may, it counts the quick ones: a
// package begins with any, and one that takes a second must not stand in front of all.
func (c Census) first(ctx context.Context, until time.Time) (map[model.Benchmark][2]model.Sample, error) {
	each := c.Limit / 2
	found, late, err := c.one(ctx, 0, c.Pattern, censusN, each)
	if err != nil {
		return nil, err
	}
	pattern := c.Pattern
	if late {
		once, _, err := c.one(ctx, 0, c.Pattern, 1, each)
		if err != nil {
			return nil, err
		}
		more := quick(once, found, each)
		if len(more) > 0 {
			rest, _, err := c.one(ctx, 0, strings.Join(more, "|"), censusN, each)
			if err != nil {
				return nil, err
			}
			maps.Copy(found, rest)
		}
		pattern = names(found)
	}
	if len(found) == 0 {
		return nil, nil
	}
	other, _, err := c.one(ctx, 1, pattern, censusN, min(2*each, time.Until(until)))
	return paired(found, other), err
}

// quick returns the patterns of the benchmarks that are not found yet, the quickest first, as far as they all come to
// their end within a time: a process runs each once before it counts.
func quick(once, found map[model.Benchmark]model.Sample, within time.Duration) (patterns []string) {
	byTime := func(a, b model.Benchmark) int {
		return cmp.Or(cmp.Compare(once[a].WallNs, once[b].WallNs), strings.Compare(a.Name, b.Name))
	}
	var sum time.Duration
	for _, bm := range sorted.Of(maps.Keys(once), byTime) {
		if _, known := found[bm]; known {
			continue
		}
		if sum += time.Duration((censusN + 1) * once[bm].WallNs); sum > within {
			break
		}
		patterns = append(patterns, bm.Regexp())
	}
	return patterns
}

// names is the pattern of benchmarks.
func names(found map[model.Benchmark]model.Sample) string {
	var all []string
	for bm := range found {
		all = append(all, bm.Regexp())
	}
	slices.Sort(all)
	return strings.Join(all, "|")
}

// one runs one process of a side. A benchmark that ends its process is not the census's to report.
func (c Census) one(ctx context.Context, side int, pattern string, n int64, limit time.Duration) (map[model.Benchmark]model.Sample, bool, error) {
	if limit <= 0 {
		return nil, true, nil
	}
	found, late, err := c.Suites[side].Census(ctx, c.Bins[side], pattern, n, limit)
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if err != nil {
		return nil, false, nil
	}
	return found, late, nil
}

// run runs one process of each side, both until some time, and returns the samples of
// benchmarks that came to a result in both.
func (c Census) run(ctx context.Context, pattern string, n int64, until time.Time) (map[model.Benchmark][2]model.Sample, error) {
	var found [2]map[model.Benchmark]model.Sample
	for i := range found {
		var err error
		if found[i], _, err = c.one(ctx, i, pattern, n, min(c.Limit, time.Until(until))); err != nil || found[i] == nil {
			return nil, err
		}
	}
	return paired(found[0], found[1]), nil
}

// paired joins the samples of both sides.
func paired(base, candidate map[model.Benchmark]model.Sample) map[model.Benchmark][2]model.Sample {
	out := make(map[model.Benchmark][2]model.Sample)
	for bm, sample := range base {
		if other, ok := candidate[bm]; ok {
			out[bm] = [2]model.Sample{sample, other}
		}
	}
	return out
}
