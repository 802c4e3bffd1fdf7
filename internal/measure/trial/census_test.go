package trial

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
)

// A timed is a package of benchmarks, of each how long an operation takes and what it allocates. They run in this order.
type timed []struct {
	name   string
	takes  time.Duration
	allocs uint64
}

// Census runs what matches, each once and then n times, until the limit is over.
func (p timed) Census(_ context.Context, _ *bench.Binary, pattern string, n int64, limit time.Duration) (map[model.Benchmark]model.Sample, bool, error) {
	found := make(map[model.Benchmark]model.Sample)
	matches := regexp.MustCompile(pattern)
	for _, b := range p {
		if !matches.MatchString(b.name) {
			continue
		}
		runs := n
		if n > 1 {
			runs++
		}
		if limit -= time.Duration(runs) * b.takes; limit < 0 {
			return found, true, nil
		}
		bm := model.Benchmark{Name: b.name}
		found[bm] = model.Sample{Benchmark: bm, N: n, WallNs: float64(b.takes), Allocs: uint64(n) * b.allocs}
	}
	return found, false, nil
}

// A benchmark that takes a second in front of the others does not keep them from being counted.
func TestCensusQuickFirst(t *testing.T) {
	base := timed{{"A", time.Second, 1}, {"B", time.Millisecond, 1}, {"C", 2 * time.Second, 1}, {"D", time.Microsecond, 3}}
	more := slices.Clone(base)
	more[3].allocs = 4
	for _, tt := range []struct {
		limit time.Duration
		want  string
	}{
		{2 * time.Minute, "A B C D"}, // all at once
		{20 * time.Second, "B D"},
		{time.Second, ""}, // not even one of each
	} {
		found, err := Census{Suites: [2]CensusTaker{base, more}, Bins: [2]*bench.Binary{{}, {}}, Pattern: ".", Limit: tt.limit}.Count(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for bm := range maps.Keys(found) {
			names = append(names, bm.Name)
		}
		slices.Sort(names)
		if diff := cmp.Diff(tt.want, strings.Join(names, " ")); diff != "" {
			t.Errorf("%v: -want +got:\n%s", tt.limit, diff)
		}
		d := found[model.Benchmark{Name: "D"}]
		if tt.want != "" && (len(d.Counts) == 0 || !d.Counts[0].Rose()) {
			t.Errorf("%v: D allocates more: %+v", tt.limit, d.Counts)
		}
	}
}
