package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

const (
	heapLoop      = 300e6  // ns of loop that a process is to run
	heapProcess   = 1e9    // ns beyond which it runs fewer iterations than a slice
	heapMarks     = 300    // fewer can all miss the point between two iterations
	heapLeast     = 5      // fewer say nothing
	heapProcesses = 4      // at most, to come to that number
	heapBudget    = 2e9    // ns that all of them take at most, if the first takes less
	heapPatience  = 20e9   // ns that more iterations may take where there are too few marks
	heapGrowth    = 4      // the number of iterations is then multiplied by this, or by its square
	heapMemory    = "4GiB" // beyond which garbage is collected between two looks
)

// ErrNoHooks is the error of what needs the patched testing package where
// there is none.
var ErrNoHooks = errors.New("needs the patched testing package, and this binary is built without it")

// ErrFewMarks is the error of Heap where the heap was not seen often enough: the
// timed region is too small a part of the process, or too short.
var ErrFewMarks = errors.New("its timed region gives no time to look at the heap")

// A Heap is what a benchmark holds in memory, in bytes of live heap above what
// was live right before its timed region.
type Heap struct {
	Retained float64 // what the loop keeps between its iterations
	Peak     float64 // what is live at most; of spikes that last, see Heap
	Marks    int     // collections that the peak is taken from
	// N is the number of iterations. Where memory grows with each of them, two
	// figures compare at one N only.
	N int64
}

// Heap measures what a benchmark holds in memory. Retained is what a reused
// buffer, a cache or a pool costs for what it saves in time: the price of a
// lower B/op, and shown beside it. Peak also has what an iteration holds for a
// while, and what grows: the memory that a machine must have.
//
// In a process of its own a goroutine collects garbage over and over during the
// timed region and notes how many bytes each collection marked as live. Peak is
// the largest of these notes but for one and the largest hundredth. Retained is
// the least of them after the first quarter. Both are less the least of the
// same figure right before the region. The least, because a collection falls
// anywhere into an iteration and sees what that iteration holds for the moment;
// not from the first quarter, because what is kept may be made late in the
// first iteration. In that process collections stop the world, and none runs
// but the sampler's: nothing is allocated while one marks. Concurrent marking
// counts what is allocated meanwhile as live, which was 200 to 600 KB with a
// loop that makes 64 KiB of garbage in each iteration and keeps nothing.
//
// Accuracy of Retained: it is right to some hundred bytes, and to the rounding
// of size classes, where some collection meets the point between two
// iterations. Otherwise it is too large by what an iteration holds at its
// least. A loop is stopped where its code can be stopped, and that is often
// right after an allocation: in that same loop, which does little but allocate,
// one to thirty collections in a hundred found no garbage. Some 300 are aimed
// at, in up to four processes; of these the least counts, and of their peaks
// the median. An operation that holds memory for 99 % of its time is seen
// through by them in 9 runs of 10. The figure is too small where the benchmark
// function goes on for long after its loop with the timer running, and what the
// loop kept is dead then.
//
// Accuracy of Peak: a goroutine that is stopped in the middle of a loop is
// scanned without a map of its innermost frame, so that whatever the frame's
// slots and registers still point to counts as live. One mark in some hundred
// finds twice the real height for that reason; without the largest hundredth
// the figure repeats to a few hundred bytes. Where the work is written out in
// the benchmark function itself, such a slot can hold the buffer of the
// iteration before for as long as that of this one: then Peak is too large by
// one iteration's objects, in each run alike. A height that is held for 3 % of
// the time is found in 19 runs of 20, and one that is held for less than 1 % is
// not. Garbage is not counted but for the object that is being made. What a
// benchmark holds only while its timer is stopped is not counted, or rarely:
// such a mark would have to begin and end with the timer running.
//
// Memory that grows with each iteration is counted as it is after a quarter of
// the loop in Retained, and near the end in Peak. The number of iterations
// follows from the plan, so that it is the same for two arms. Only where it
// gives fewer than five marks is it multiplied by four or sixteen, which the
// arms may not need alike: see Heap.N and HeapOf. Heaps of a quarter of a
// gigabyte in small objects take some twenty seconds for that reason.
//
// What runs in RunParallel, or holds memory in other goroutines, counts as
// held. Buffers of a sync.Pool count while the pool keeps them, which is less
// than in production, as every second collection empties it. A region that
// drops memory of the set-up would give less than nothing, and gives zero.
func (s *Suite) Heap(ctx context.Context, b *Binary, p model.Plan) (Heap, error) {
	for n := heapIterations(p); ; {
		h, cost, err := s.heapOf(ctx, b, p, n)
		if err != nil {
			return Heap{}, fmt.Errorf("live heap of %s: %w", p.Benchmark.Name, err)
		}
		if h.Marks >= heapLeast {
			return h, nil
		}
		grow := int64(heapGrowth)
		if h.Marks < 2 {
			grow *= heapGrowth
		}
		if float64(grow)*cost > heapPatience || n > maxN/grow {
			return Heap{}, fmt.Errorf("live heap of %s: it was seen %d times only in %v: %w", p.Benchmark.Name, h.Marks, short(cost), ErrFewMarks)
		}
		n *= grow
	}
}

// heapIterations returns the number of iterations of one process, by the plan
// alone. Where most of a process is set-up the plan does not say whether that
// grows with the iterations, which then are a quarter of a slice's at least.
func heapIterations(p model.Plan) int64 {
	n := atMost(p, heapLoop/opNs(p), heapLoop)
	if all := p.SetupNs + p.SliceNs; all > heapProcess {
		n = max(2, min(n, int64(float64(p.N)*max(heapProcess/all, 1./heapGrowth))))
	}
	return n
}

// HeapOf is Heap with a given number of iterations: that of the other arm.
func (s *Suite) HeapOf(ctx context.Context, b *Binary, p model.Plan, n int64) (Heap, error) {
	h, _, err := s.heapOf(ctx, b, p, n)
	if err == nil && h.Marks < heapLeast {
		err = fmt.Errorf("it was seen %d times only: %w", h.Marks, ErrFewMarks)
	}
	if err != nil {
		return Heap{}, fmt.Errorf("live heap of %s: %w", p.Benchmark.Name, err)
	}
	return h, nil
}

// Retained returns Heap's figure of that name.
func (s *Suite) Retained(ctx context.Context, b *Binary, p model.Plan) (bytes float64, err error) {
	h, err := s.Heap(ctx, b, p)
	return h.Retained, err
}

// heapOf runs processes of n iterations until their marks are enough. cost is
// the part of the first one's wall time that grows with n, in ns.
func (s *Suite) heapOf(ctx context.Context, b *Binary, p model.Plan, n int64) (h Heap, cost float64, err error) {
	if b.Stock {
		return h, 0, ErrNoHooks
	}
	h.N = n
	var peaks []float64
	var process float64
	for i := 1; i <= heapProcesses; i++ {
		r, m, wall, err := s.retain(ctx, b, p, n)
		if err != nil {
			return h, 0, err
		}
		above := func(key string) float64 { return float64(max(0, r.values[key]-r.values["base"])) }
		kept := above("live")
		if i == 1 {
			h.Retained, process, cost = kept, wall, m.wall
			if m.stops > 0 {
				cost = wall
			}
		}
		h.Retained = min(h.Retained, kept)
		peaks = append(peaks, max(kept, above("peak")))
		h.Marks += int(r.values["samples"])
		if h.Marks < heapLeast || h.Marks >= heapMarks || float64(i+1)*process > heapBudget {
			break
		}
	}
	slices.Sort(peaks)
	h.Peak = peaks[len(peaks)/2]
	return h, cost, nil
}

// retain runs n iterations under the sampler. It returns the sampler's record,
// the figures of the loop, and the wall time of the process, in ns.
func (s *Suite) retain(ctx context.Context, b *Binary, p model.Plan, n int64) (r record, m measure, wall float64, err error) {
	j := exactly(b, p.Benchmark, n)
	debug := "gcstoptheworld=2"
	if old := gocmd.Getenv(s.g.Env(), "GODEBUG"); old != "" {
		debug = old + "," + debug
	}
	// Two processors: on one, the sampler would wait for the loop to be
	// preempted, which is every 10 ms at best.
	j.procs = 2
	j.env = []string{"PAWL_RETAIN=1", "GODEBUG=" + debug, "GOGC=off"}
	if gocmd.Getenv(s.g.Env(), "GOMEMLIMIT") == "" {
		j.env = append(j.env, "GOMEMLIMIT="+heapMemory)
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
