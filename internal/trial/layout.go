package trial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/model"
)

// LayoutFloor is the relative difference that the layout of the code alone can
// make between two builds: the spread over never-called functions added to
// encoding/json and compress/flate was 1.0 to 1.6 % (one standard deviation)
// and up to 4.6 %. A smaller difference between two builds is no evidence
// about their sources.
const LayoutFloor = 0.03

// LayoutReach is the relative difference from which on an estimate stands
// without fresh links: twice the largest that a function that is never called
// has been seen to make. On one processor that was 4.6 % (encoding/json), on
// another 16.5 %, in three runs out of three (the byte loop of gjson's Valid,
// whose branches fell into other lines of the instruction cache).
const LayoutReach = 0.35

// The duets that make up one unit of the layout stage: as many as take the
// time of a link, between these.
const (
	minPerLink = 2
	maxPerLink = 6
)

// Links makes links of both sides with the functions in an order drawn from a
// seed, the same for both.
type Links interface {
	// Pair links both sides. The files are the caller's to remove.
	Pair(ctx context.Context, seed uint64) (base, cand *bench.Binary, err error)
}

// A NoLinks is why there can be no fresh links of a benchmark's binaries.
type NoLinks struct{ Err error }

func asNoLinks(err error) (*NoLinks, bool) {
	var no *NoLinks
	ok := errors.As(err, &no)
	return no, ok
}

func (n *NoLinks) Error() string { return "no fresh links: " + n.Err.Error() }
func (n *NoLinks) Unwrap() error { return n.Err }

// Judge asks a question on the links that it names, and when they seem to
// differ by no more than the layout of the code can do, again on fresh links of
// both sides. The unit is then a pair of links, because no
// number of runs of one link says anything about the next one.
//
// In the second stage both sides are linked in random orders, never one in a
// random and one in the default order: the default keeps functions of a package
// together and is faster for some benchmarks by several per cent.
//
// The claim rests on the second stage alone, at the full error rate of the
// rules: the first one merely says where it is worth the time. Without
// Question.Links the first answer becomes undecided.
func (t *Trial) Judge(ctx context.Context, q Question, watch func(Progress)) (Answer, error) {
	first, err := t.Ask(ctx, q, watch)
	if err != nil || !NeedsLinks(first.Verdict) || q.AtFloor && first.FloorExcluded {
		return first, err // what was asked for is known: no slowdown that counts
	}
	if q.Links == nil {
		first.inseparable("there is one link of each side")
		return first, nil
	}
	second := q
	second.Prior = nil
	second.Budget = q.linkTime(time.Now())
	a, err := t.askLinks(ctx, second, first.Seconds/float64(max(1, len(first.Samples))), watch)
	if no, ok := asNoLinks(err); ok {
		first.inseparable(no.Error())
		return first, nil
	}
	screen := first.Verdict
	a.Screen = &screen
	a.Samples = append(first.Samples, a.Samples...)
	a.Dropped += first.Dropped
	a.Seconds += first.Seconds
	return a, err
}

// leastLinks is how long fresh links may take however late it is: in less
// there is no answer, and the duets before were for nothing.
const leastLinks = 5 * time.Second

// linkTime is how long the second stage may take when it begins now; 0 for no
// limit.
func (q Question) linkTime(now time.Time) time.Duration {
	d := max(0, q.LinkBudget)
	if q.Deadline.IsZero() {
		return d
	}
	left := max(q.Deadline.Sub(now), leastLinks)
	if d == 0 {
		return left
	}
	return min(d, left)
}

// AskOnLinks puts a question to fresh links from the start, where there is no
// doubt that the two differ and the size of the difference is what is asked
// for. Where nothing can be linked it is Ask, and says so.
func (t *Trial) AskOnLinks(ctx context.Context, q Question, watch func(Progress)) (Answer, error) {
	err := error(&NoLinks{errors.New("the binaries were not built to be linked again")})
	if q.Links != nil {
		var a Answer
		if a, err = t.askLinks(ctx, q, 2*q.Plan.SliceNs/1e9, watch); err == nil {
			return a, nil
		}
		if _, ok := asNoLinks(err); !ok {
			return a, err
		}
	}
	a, aerr := t.Ask(ctx, q, watch)
	if aerr == nil && NeedsLinks(a.Verdict) {
		a.Verdict.Warnings = append(a.Verdict.Warnings, model.Warning{
			Seen:  "measured on one link of each side",
			Cause: err.Error(),
			Try:   fmt.Sprintf("where the linker puts functions has moved a benchmark by 16 %%: read a difference below %.0f %% as one of these two binaries", 100*LayoutReach),
		})
	}
	return a, aerr
}

// NeedsLinks reports whether an answer on one link of each side says too
// little about their sources.
func NeedsLinks(v model.Verdict) bool {
	claim := v.Answer == model.Faster || v.Answer == model.Slower
	return claim && math.Abs(v.Change) < LayoutReach
}

// inseparable takes back an answer that the layout could have given.
func (a *Answer) inseparable(cause string) {
	v := &a.Verdict
	v.Warnings = append(v.Warnings, model.Warning{
		Seen:  fmt.Sprintf("not separable from layout: these two links differ (%s by %.1f %%), but where the linker happens to put functions can do that", v.Answer, 100*math.Abs(v.Change)),
		Cause: cause,
		Try:   "compare sources (git refs) instead of binaries, or a larger -budget: pawl then links both sides anew for each unit",
	})
	v.Answer = model.Undecided
	a.Layout = true
}

// askLinks is Ask with a pair of fresh links as the unit; duet is about how
// many seconds one duet takes.
func (t *Trial) askLinks(ctx context.Context, q Question, duet float64, watch func(Progress)) (Answer, error) {
	start := time.Now()
	seq := newSequences(q)
	a := Answer{Linked: true}
	links := t.produce(ctx, q.Links)
	defer links.stop()
	for i := 0; ; i++ {
		l, err := links.next(ctx)
		if err != nil {
			a.close(q, seq, start)
			if i == 0 && ctx.Err() == nil {
				return a, &NoLinks{err}
			}
			return a, err
		}
		pairs, d, err := t.linkUnit(ctx, q, l, i+1, perLink(l.seconds, duet))
		l.remove()
		a.Samples = append(a.Samples, pairs...)
		if err != nil {
			a.close(q, seq, start)
			return a, err
		}
		if err := seq.add(d); err != nil {
			return a, err
		}
		dec := seq.decision()
		if watch != nil {
			watch(Progress{Units: i + 1, Links: true, Decision: dec})
		}
		if enough(q, seq, dec, time.Since(start)) {
			a.close(q, seq, start)
			return a, nil
		}
	}
}

// perLink returns how many duets to run on one pair of links: as long as the
// next pair takes to link, so that neither waits for the other.
func perLink(link, duet float64) int {
	if duet <= 0 {
		return minPerLink
	}
	return min(maxPerLink, max(minPerLink, int(math.Ceil(link/duet))))
}

// linkUnit runs duets on one pair of links and returns the mean of their log
// ratios: one number for one pair of layouts.
func (t *Trial) linkUnit(ctx context.Context, q Question, l linked, link, duets int) ([][2]model.Sample, float64, error) {
	var pairs [][2]model.Sample
	var sum float64
	for j := range duets {
		pair, err := t.run(ctx, q.Plan, l.base, l.cand, Unit{Index: j, Fresh: j == 0})
		if err != nil {
			return pairs, 0, err
		}
		for i := range pair {
			pair[i].Link = link
		}
		d, err := logRatio(q.Plan, pair)
		if err != nil {
			return pairs, 0, err
		}
		pairs = append(pairs, pair)
		sum += d
	}
	return pairs, sum / float64(duets), nil
}
