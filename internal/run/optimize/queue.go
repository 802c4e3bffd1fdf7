package optimize

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// A queue are the benchmarks that were found and are not measured yet, those that come
// next first. In a queue that lasts one of each function comes before a second of any: its
// sub-benchmarks mostly run the same code, and of these the one that costs most runs most of it,
// unless it is dear. Those that are slow come last.
type queue struct {
	lasts   bool // the run comes back for others when ideas are used up
	waiting []waiting
	found   int               // benchmarks that were ever in it
	quick   []model.Benchmark // those of them that are not slow
}

// A waiting benchmark. Of a package whose benchmarks are not even listed there is one
// without a name.
type waiting struct {
	bm   model.Benchmark
	cost int         // of its one iteration, to a factor of four
	dear bool        // in it
	slow bool        // and more so
	par  bool        // it calls RunParallel
	plan *model.Plan // how it is sampled; nil before that is known
}

// listed reports whether it is a benchmark.
func (w waiting) listed() bool { return w.bm.Name != "" }

func (w waiting) String() string {
	if !w.listed() {
		return "all of " + w.bm.Pkg
	}
	return w.bm.String()
}

// add puts what was found in a package behind all that waits.
func (q *queue) add(list []bench.Listed) {
	for _, l := range list {
		w := waiting{bm: l.Benchmark, cost: bits.Len64(uint64(max(0, l.First))) / 2, dear: l.First > dearFirst, slow: l.First > slowFirst, par: l.Parallel}
		q.waiting = append(q.waiting, w)
		if !w.slow {
			q.quick = append(q.quick, w.bm)
		}
	}
	q.found += len(list)
	if q.lasts {
		q.order()
	}
}

// slowFirst is how long one iteration of a benchmark takes at most whose slices, and above all
// its profiles, take no longer than others'. Of what takes longer a profile of allocations can
// take ten seconds. From dearFirst on its inputs are so large that comparing behaviour on them takes long.
const (
	slowFirst = 10 * time.Millisecond
	dearFirst = time.Millisecond
)

// order puts the costliest sub-benchmark of each function first, then each second.
func (q *queue) order() {
	nth := make(map[model.Benchmark]int) // by function
	turn := make(map[model.Benchmark]int)
	byCost := slices.Clone(q.waiting)
	sorted.By(byCost, func(a, b waiting) int {
		switch {
		case a.dear && b.dear:
			return cmp.Compare(a.cost, b.cost)
		case a.dear:
			return 1
		case b.dear:
			return -1
		}
		return cmp.Compare(b.cost, a.cost)
	})
	for _, w := range byCost {
		f := function(w.bm)
		turn[w.bm] = nth[f]
		nth[f]++
	}
	place := func(w waiting) int {
		switch {
		case w.slow:
			return 2 * (turn[w.bm] + len(q.waiting))
		case w.dear:
			return 2*turn[w.bm] + 1
		}
		return 2 * turn[w.bm]
	}
	sorted.By(q.waiting, func(a, b waiting) int {
		return cmp.Compare(place(a), place(b))
	})
}

// function is the benchmark function that a sub-benchmark belongs to.
func function(bm model.Benchmark) model.Benchmark {
	bm.Name, _, _ = strings.Cut(bm.Name, "/")
	return bm
}

// pattern matches the benchmarks of a package that are not slow; "" where there are none.
func (q *queue) pattern(pkg string) string {
	var list []string
	for _, bm := range q.quick {
		if bm.Pkg == pkg {
			list = append(list, bm.Regexp())
		}
	}
	return strings.Join(list, "|")
}

// next returns the place of the one whose turn it is, or -1. In a queue that lasts, what is
// known to be no duet comes last: its pairs take seconds, and they see little.
func (q *queue) next() int {
	i := slices.IndexFunc(q.waiting, func(w waiting) bool {
		return !q.lasts || !w.par && w.plan == nil || w.plan != nil && w.plan.Mode == model.Duet
	})
	if i < 0 && len(q.waiting) > 0 {
		return 0
	}
	return i
}

// take takes one out.
func (q *queue) take(i int) waiting {
	w := q.waiting[i]
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return w
}

// back puts benchmarks back that there was no time for.
func (q *queue) back(plans []model.Plan) {
	var list []waiting
	for _, p := range plans {
		list = append(list, waiting{bm: p.Benchmark, plan: &p})
	}
	q.waiting = append(list, q.waiting...)
}

// measured says how many of the benchmarks are.
func (q *queue) measured() string {
	unlisted := ""
	n := len(q.waiting)
	for _, w := range q.waiting {
		if !w.listed() {
			unlisted = "at least "
			n--
		}
	}
	return fmt.Sprintf("%d of %s%s are measured and profiled", q.found-n, unlisted, words.Plural(q.found, "benchmark"))
}

// names are those of all that wait.
func (q *queue) names() []string {
	names := make([]string, len(q.waiting))
	for i, w := range q.waiting {
		names[i] = w.String()
	}
	return names
}
