package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

const (
	retainStart   = 50e6  // ns of loop that the first process is to run
	retainBudget  = 1.5e9 // ns of loop under the sampler, in any process
	retainSamples = 300   // fewer can all miss the point between two iterations
	retainLeast   = 10    // fewer say nothing
	retainTries   = 4
	retainMemory  = "4GiB" // beyond which garbage is collected between two looks
)

// ErrNoHooks is the error of what needs the patched testing package where
// there is none.
var ErrNoHooks = errors.New("needs the patched testing package, and this binary is built without it")

// Retained returns how many bytes of live heap the loop keeps between its
// iterations: what a reused buffer, a cache or a pool costs in memory for what
// it saves in time. It is the price of a lower B/op, and shown beside it.
//
// In a process of its own a goroutine collects garbage over and over during
// the timed region and notes how many bytes each collection marked as live.
// The result is the least of these notes after the first quarter of them, less
// the least of the same figure right before the region. The least, because a
// collection falls anywhere into an iteration and sees what that iteration
// holds for the moment; not from the first quarter, because what is kept may
// be made late in the first iteration. In that process collections stop the
// world, and none runs but the sampler's: nothing is allocated while one
// marks. Concurrent marking counts what is allocated meanwhile as live, which
// was 200 to 600 KB with a loop that makes 64 KiB of garbage in each iteration
// and keeps nothing.
//
// Accuracy: the figure is right to some hundred bytes, and to the rounding of
// size classes, where some collection meets the point between two iterations.
// Otherwise it is too large by what an iteration holds at its least. A loop is
// stopped where its code can be stopped, and that is often right after an
// allocation: in that same loop, which does little but allocate, one to thirty
// collections in a hundred found no garbage. Some 300 are aimed at. An
// operation that holds memory for 99 % of its time is seen through by them in
// 9 runs of 10. The figure is too small where the benchmark function goes on
// for long after its loop with the timer running, and what the loop kept is
// dead then.
//
// Memory that grows with each iteration is counted as it is after a quarter of
// the loop. What runs in RunParallel, or holds memory in other goroutines,
// counts as held. Buffers of a sync.Pool count while the pool keeps them, which
// is less than in production, as every second collection empties it. A region
// that drops memory of the set-up would give less than nothing, and gives
// zero.
func (s *Suite) Retained(ctx context.Context, b *Binary, p model.Plan) (bytes float64, err error) {
	if b.Stock {
		return 0, fmt.Errorf("retained bytes of %s: %w", p.Benchmark.Name, ErrNoHooks)
	}
	n := atMost(p, retainStart/opNs(p), retainStart)
	for try := 1; ; try++ {
		r, m, process, err := s.retain(ctx, b, p, n)
		if err != nil {
			return 0, fmt.Errorf("retained bytes of %s: %w", p.Benchmark.Name, err)
		}
		samples, spent := float64(r.values["samples"]), m.wall
		if m.stops > 0 { // what grows is the whole process
			spent = process
		}
		grow := min(1.3*retainSamples/max(samples, 1), retainBudget/max(spent, 1), maxN/float64(n))
		if samples >= retainSamples || try == retainTries || grow < 1.3 {
			if samples < retainLeast {
				return 0, fmt.Errorf("retained bytes of %s: the heap was seen %.0f times only in a loop of %v", p.Benchmark.Name, samples, short(m.wall))
			}
			return float64(max(0, r.values["live"]-r.values["base"])), nil
		}
		n = int64(math.Ceil(grow * float64(n)))
	}
}

// retain runs n iterations under the sampler. It returns the sampler's record,
// the figures of the loop, and the wall time of the process.
func (s *Suite) retain(ctx context.Context, b *Binary, p model.Plan, n int64) (r record, m measure, process float64, err error) {
	j := exactly(b, p.Benchmark, n)
	debug := "gcstoptheworld=2"
	if old := variable(s.g.Env(), "GODEBUG"); old != "" {
		debug = old + "," + debug
	}
	// Two processors: on one, the sampler would wait for the loop to be
	// preempted, which is every 10 ms at best.
	j.procs = 2
	j.env = []string{"PAWL_RETAIN=1", "GODEBUG=" + debug, "GOGC=off"}
	if variable(s.g.Env(), "GOMEMLIMIT") == "" {
		j.env = append(j.env, "GOMEMLIMIT="+retainMemory)
	}
	o, err := s.run(ctx, j)
	if err != nil {
		return r, m, 0, err
	}
	if m, err = j.figures(o, 0); err != nil {
		return r, m, 0, err
	}
	for _, found := range o.records {
		if found.word == "retain" && found.name == p.Benchmark.Name {
			r = found
		}
	}
	return r, m, float64(o.exit.Wall.Nanoseconds()), nil
}

// variable returns the value of a variable; the last setting counts.
func variable(env []string, key string) string {
	var value string
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			value = v
		}
	}
	return value
}
