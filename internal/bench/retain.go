package bench

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

const (
	retainGoal    = 300e6 // ns of loop under the sampler
	retainSamples = 200   // fewer can all miss the point between two iterations
	retainTries   = 3
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
// The result is the least of the later half of these notes, less the least of
// the same figure right before the region. The least, because a collection
// falls anywhere into an iteration and sees what that iteration holds for the
// moment; the later half, because what is kept may be made late in the first
// iteration. Collections stop the world in that process: nothing is allocated
// while they mark, and garbage is not counted as live, which concurrent
// marking does.
//
// Accuracy: the figure is right to some hundred bytes, and to the rounding of
// size classes, where some collection meets the point between two iterations.
// Otherwise it is too large by what an iteration holds at its least. A loop is
// stopped where its code can be stopped, and that is often right after an
// allocation: of one that does nothing but allocate 64 KiB of garbage one
// collection in twenty found none of it. With the 200 collections aimed at,
// an operation that holds its garbage for 99 % of its time is still seen
// through in 13 runs of 20, and one that holds it for 95 % practically always.
// The figure is too small where the benchmark function goes on for long after
// its loop with the timer running, and what the loop kept is dead then.
//
// Memory that grows with each iteration is counted as it is half-way. What
// runs in RunParallel, or holds memory in other goroutines, counts as held.
// Buffers of a sync.Pool count while the pool keeps them, which is less than
// in production, as every second collection empties it. A region that drops
// memory of the set-up would give less than nothing, and gives zero.
func (s *Suite) Retained(ctx context.Context, b *Binary, p model.Plan) (bytes float64, err error) {
	if b.Stock {
		return 0, fmt.Errorf("retained bytes of %s: %w", p.Benchmark.Name, ErrNoHooks)
	}
	n := atMost(p, retainGoal/opNs(p), retainGoal)
	for try := 1; ; try++ {
		r, err := s.retain(ctx, b, p, n)
		if err != nil {
			return 0, fmt.Errorf("retained bytes of %s: %w", p.Benchmark.Name, err)
		}
		if r.values["samples"] >= retainSamples || try == retainTries || n == maxN {
			return float64(max(0, r.values["live"]-r.values["base"])), nil
		}
		n = min(4*n, maxN)
	}
}

// retain runs n iterations under the sampler and returns its record.
func (s *Suite) retain(ctx context.Context, b *Binary, p model.Plan, n int64) (record, error) {
	j := exactly(b, p.Benchmark, n)
	debug := "gcstoptheworld=2"
	if old := variable(s.g.Env(), "GODEBUG"); old != "" {
		debug = old + "," + debug
	}
	// Two processors: on one, the sampler would wait for the loop to be
	// preempted, which is every 10 ms at best.
	j.procs = 2
	j.env = []string{"PAWL_RETAIN=1", "GODEBUG=" + debug}
	o, err := s.run(ctx, j)
	if err != nil {
		return record{}, err
	}
	if _, err := j.figures(o, 0); err != nil {
		return record{}, err
	}
	var found record
	for _, r := range o.records {
		if r.word == "retain" && r.name == p.Benchmark.Name {
			found = r
		}
	}
	if found.values["samples"] == 0 {
		return record{}, errors.New("the loop ended before the heap could be looked at")
	}
	return found, nil
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
