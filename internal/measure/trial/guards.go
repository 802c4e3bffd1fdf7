package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// What a guard lets pass, and on how many runs it rests.
const (
	wallShare = 0.10    // of wall time per op
	heapShare = 0.10    // of the peak live heap
	heapBytes = 1 << 20 // and this much of it
	wallPairs = 6       // at least
	heapRuns  = 3       // at least

	emptyShare = 8 // of heapBytes, what a slice allocates where the heap is not looked at
)

// The names of the guards.
const (
	guardWall = verdict.Wall
	guardHeap = "peak-heap"
	guardGC   = "gc-cpu/op"
)

// Guards measures what must not get worse for the sake of CPU time: wall time
// per op, taken in processes that are not pinned and do not share a core; the
// peak of the live heap; and the collector's share. The last one is a part of
// CPU time already, and only shown.
//
// A guard trips when every single run of the candidate is worse than the base
// by more than what is let pass; alpha is the error rate that both guards may
// have together, and each has half of it. Six pairs of wall times in random
// order, all of them 10 % worse, happen to equals in less than one comparison in
// 64 whatever the noise; where the guard may err less often than that, it takes
// another pair for each halving. Measuring ends with the first pair that is not
// worse, so that a guard that has nothing to say costs two slices. HeapGuard says
// the same of the heap.
func (t *Trial) Guards(ctx context.Context, l *Local, p model.Plan, base, cand *bench.Binary, alpha float64, samples [][2]model.Sample) ([]model.Guard, error) {
	var out []model.Guard
	if g, ok := gcGuard(samples); ok {
		out = append(out, g)
	}
	if p.Mode != model.Alternate {
		g, err := t.wallGuard(ctx, p, base, cand, alpha/2)
		if err != nil {
			return out, err
		}
		out = append(out, g)
	}
	if g, ok := emptyHeap(samples); ok && !cand.Stock {
		return append(out, g), nil
	}
	g, err := t.HeapGuard(ctx, l, p, base, cand, alpha/2)
	return append(out, g), err
}

// emptyHeap is the guard of the heap where no slice of the candidate allocates enough
// to trip it. It leaves room for a loop several times as long as a slice, as HeapGuard's
// is. What is allocated while the timer stands is not counted, and may be held.
func emptyHeap(samples [][2]model.Sample) (model.Guard, bool) {
	var most uint64
	for _, pair := range samples {
		if pair[1].Stops > 0 {
			return model.Guard{}, false
		}
		most = max(most, pair[1].Bytes)
	}
	return model.Guard{
		Name: guardHeap, Unit: "B",
		Skipped: fmt.Sprintf("the candidate allocates %.1f kB at most in %d slices, and an alarm takes 1 MiB", float64(most)/1e3, len(samples)),
	}, len(samples) > 0 && most < heapBytes/emptyShare
}

// gcGuard compares the CPU time of the collector's workers.
func gcGuard(samples [][2]model.Sample) (model.Guard, bool) {
	g := model.Guard{Name: guardGC, Unit: "ns/op", Detail: "a part of cpu/op; shown only"}
	var sum [2]float64
	for _, pair := range samples {
		for i := range pair {
			sum[i] += pair[i].GCCPUNs
		}
	}
	if len(samples) == 0 || sum[0] == 0 && sum[1] == 0 {
		return g, false
	}
	g.Before, g.After = sum[0]/float64(len(samples)), sum[1]/float64(len(samples))
	return g, true
}

// wallGuard runs slices one after the other for as long as the candidate is worse.
func (t *Trial) wallGuard(ctx context.Context, p model.Plan, base, cand *bench.Binary, alpha float64) (model.Guard, error) {
	g := model.Guard{Name: guardWall, Unit: "ns/op"}
	p.Mode = model.Alternate
	var before, after []float64
	worse := true
	pairs := max(wallPairs, int(math.Ceil(-math.Log2(alpha))))
	for i := 0; worse && i < pairs; i++ {
		pair, err := t.run(ctx, p, base, cand, Unit{Index: i, Fresh: i == 0})
		if err != nil {
			return g, err
		}
		before, after = append(before, pair[0].WallNs), append(after, pair[1].WallNs)
		worse = pair[1].WallNs > (1+wallShare)*pair[0].WallNs
	}
	n := len(before)
	if g.Tripped = worse; !worse {
		g.Detail = fmt.Sprintf("no alarm: pair %d of up to %d was not more than %.0f %% worse", n, pairs, 100*wallShare)
		return g, nil
	}
	g.Before, g.After = verdict.Median(before), verdict.Median(after)
	lo, hi := (&model.Solo{WallBefore: before, WallAfter: after}).WallRange()
	g.Detail = fmt.Sprintf("%+.0f to %+.0f %% in all of %d pairs (limit: %+.0f %%)", 100*lo, 100*hi, n, 100*wallShare)
	return g, nil
}

// HeapGuard compares the peak of the live heap, once, and when the candidate's
// is too large, again: until one run of either side says otherwise, or there are
// as many as alpha, the guard's error rate, asks for. Peaks of equals are as
// likely in any order, so that n of one side all lie above n of the other in one
// of (2n over n) comparisons, however much they vary: in 1 of 20 for three, 1 of
// 70 for four. Peaks that vary by a few per cent, as most do, never come to it,
// for they have to lie apart by a tenth and by 1 MiB besides.
func (t *Trial) HeapGuard(ctx context.Context, l *Local, p model.Plan, base, cand *bench.Binary, alpha float64) (model.Guard, error) {
	return heapGuard(heapRunsFor(alpha), func() (peak [2]float64, err error) {
		err = t.Again(p.Benchmark, base == cand, func() (err error) {
			peak, err = l.peaks(ctx, p, [2]*bench.Binary{base, cand}, t.coin.IntN(2))
			return err
		})
		return peak, err
	})
}

// heapRunsFor returns how many runs of each side it takes for one side to lie
// above the other by chance with a probability of alpha at most.
func heapRunsFor(alpha float64) int {
	orders := 1.0 // 2n over n
	for n := 1; ; n++ {
		orders *= 2 * float64(2*n-1) / float64(n)
		if n >= heapRuns && 1/orders <= alpha || math.IsInf(orders, 0) {
			return n
		}
	}
}

// heapGuard compares peaks of base and candidate, in bytes, for as long as each
// of the candidate's is too large beside all of the base's, in so many runs.
func heapGuard(runs int, peaks func() ([2]float64, error)) (model.Guard, error) {
	g := model.Guard{Name: guardHeap, Unit: "B"}
	worst := [2]float64{0, math.Inf(1)} // the largest of the base, the smallest of the candidate
	for i := range runs {
		peak, err := peaks()
		switch {
		case errors.Is(err, bench.ErrNoHooks):
			g.Skipped = "binaries that were built elsewhere do not tell"
			return g, nil
		case errors.Is(err, bench.ErrFewMarks):
			g.Tripped, g.Skipped = false, "too few collections to see the heap"
			return g, nil
		case err != nil:
			return g, err
		}
		worst[0], worst[1] = max(worst[0], peak[0]), min(worst[1], peak[1])
		g.Before, g.After = worst[0], worst[1]
		grown := worst[1] - worst[0]
		g.Tripped = grown > heapBytes && grown > heapShare*worst[0]
		limit := fmt.Sprintf("(limit: %+.0f %% and 1 MiB)", 100*heapShare)
		if !g.Tripped {
			g.Detail = fmt.Sprintf("after %d of up to %d runs %s", i+1, runs, limit)
			return g, nil
		}
		g.Detail = fmt.Sprintf("%.2f MB → %.2f MB at the peak of %d runs %s", worst[0]/1e6, worst[1]/1e6, i+1, limit)
	}
	return g, nil
}

// peaks measures the peak of the live heap of both sides, in bytes, beginning
// with one of them. Memory that grows with the iterations compares at one number
// of them only: the side that took fewer is measured again with as many.
func (l *Local) peaks(ctx context.Context, p model.Plan, sides [2]*bench.Binary, first int) (peak [2]float64, err error) {
	heaps, err := l.heaps(ctx, p, sides, first)
	if err != nil {
		return peak, err
	}
	for side, h := range heaps {
		if n := heaps[1-side].N; h.N < n {
			if heaps[side], err = l.suite.HeapOf(ctx, sides[side], p, n); err != nil {
				return peak, onSide(err, side)
			}
		}
	}
	return [2]float64{heaps[0].Peak, heaps[1].Peak}, nil
}

// heaps measures both sides: at the same time, as the figures are no times, where two
// processes of the benchmark can run at once.
func (l *Local) heaps(ctx context.Context, p model.Plan, sides [2]*bench.Binary, first int) (heaps [2]bench.Heap, err error) {
	var errs [2]error
	var both sync.WaitGroup
	for _, side := range []int{first, 1 - first} {
		both.Go(func() {
			heaps[side], errs[side] = l.suite.Heap(ctx, sides[side], p)
			errs[side] = onSide(errs[side], side)
		})
		if p.Mode == model.Alternate {
			both.Wait()
		}
	}
	both.Wait()
	return heaps, cmp.Or(errs[first], errs[1-first])
}

// onSide notes in the failure of a benchmark which side it was.
func onSide(err error, side int) error {
	var f *bench.Failure
	if errors.As(err, &f) {
		f.Arm = [2]model.Arm{model.Base, model.Candidate}[side]
	}
	return err
}
