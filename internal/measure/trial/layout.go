package trial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// The duets that make up one unit of the layout stage: so many at first and at most.
const (
	firstPerLink = 2
	maxPerLink   = 6
)

// A duetCost is what a duet takes, in seconds, and its noise on one link of each side; 0
// where that is not known.
type duetCost struct{ seconds, sd float64 }

// Links makes links of both sides with the functions in an order drawn from a
// seed: one order for both, or two that have nothing in common.
type Links interface {
	// Pair links both sides. The files are the caller's to remove.
	Pair(ctx context.Context, seed uint64) (base, cand *bench.Binary, err error)
	// Default links both sides as the go command does by itself. Both are nil
	// where the builds are such links. The files are not the caller's.
	Default(ctx context.Context) (base, cand *bench.Binary, err error)
}

// noLinks is why there can be no fresh links of a benchmark's binaries.
type noLinks struct{ Err error }

func asNoLinks(err error) (*noLinks, bool) {
	var no *noLinks
	ok := errors.As(err, &no)
	return no, ok
}

func (n *noLinks) Error() string { return "no fresh links: " + n.Err.Error() }
func (n *noLinks) Unwrap() error { return n.Err }

// judge asks a question on the links that it names, and when they seem to
// differ by no more than the layout of the code can do, again on fresh links of
// both sides. The unit is then a pair of links, because no
// number of runs of one link says anything about the next one.
//
// In the second stage both sides are linked in random orders, never one in a
// random and one in the default order: the default keeps functions of a package
// together and is faster for some benchmarks by several per cent.
//
// The claim rests on the second stage alone, at the full error rate of the
// rules: the first one merely says where it is worth the time, and ends as soon
// as it does (see Doubts). That there is no effect is looked at on some fresh
// links (see look), and where they show one, they are the first of the second
// stage. Without Question.Links the first answer becomes undecided.
func (t *Trial) judge(ctx context.Context, q Question, watch func(Progress)) (Answer, error) {
	if q.Links == nil {
		return t.judgeOne(ctx, q, "there is one link of each side", watch)
	}
	first, err := t.ask(ctx, q, watch, Doubts)
	if q.Rules.GainOnly && !q.Rules.AtFloor && first.Verdict.Answer == model.Slower {
		first.NoGain()
	}
	second := q
	second.Prior = nil
	var links *producer
	defer func() { links.stop() }()
	if err == nil && q.looks(first, time.Now()) {
		links = t.produce(ctx, q.Links)
		second.Prior, err = t.look(ctx, q, links, &first)
	}
	if err != nil || !first.doubt && !q.needsLinks(first) {
		return first, err
	}
	second.Budget = q.linkTime(time.Now())
	duet := duetCost{2 * q.Plan.SliceNs / 1e9, first.Verdict.NoiseSD}
	if n := len(first.Samples) - len(q.Prior); n > 0 {
		duet.seconds = first.Seconds / float64(n)
	}
	if links == nil {
		links = t.produce(ctx, q.Links)
	}
	a, err := t.askOn(ctx, second, links, duet, watch)
	if no, ok := asNoLinks(err); ok {
		q.Prior = first.Samples // the same units, and as many more as one link takes
		return t.judgeOne(ctx, q, no.Error(), watch)
	}
	screen := first.Verdict
	a.Screen = &screen
	a.Samples = append(first.Samples, a.Samples...)
	a.Dropped += first.Dropped
	a.Seconds += first.Seconds
	return a, err
}

// judgeOne is judge where there are no fresh links, and why says so.
func (t *Trial) judgeOne(ctx context.Context, q Question, why string, watch func(Progress)) (Answer, error) {
	a, err := t.Ask(ctx, q, watch)
	if err == nil && q.needsLinks(a) {
		a.TakeBack(why, linksAnew)
	}
	return a, err
}

// needsLinks reports whether an answer on one link leaves open what was asked.
func (q Question) needsLinks(a Answer) bool {
	return verdict.NeedsLinks(a.Verdict) && !(q.Rules.AtFloor && a.FloorExcluded)
}

// doubtAt is the evidence for a difference from which on one link of each side
// has said enough, where the estimate is not too small (verdict.DoubtShare).
// Simulated with a noise of 2.5 % a duet and 0.3 % a link, a true 2 % comes to
// fresh links after 14 duets instead of the 22 that a claim takes, a true 5 %
// after 6 instead of 9, and of 100 comparisons of equals 17 instead of 6.
const doubtAt = 8

// Doubts reports whether a decision on one link is better put to fresh links
// now: it would be a claim that they have to make anyway. What ends on one link
// as a rule goes on there: a change that does not look faster where somebody
// wants to make it, and one that does where only a slowdown is asked for.
func Doubts(r verdict.Rules, d judge.Decision) bool {
	switch {
	case d.Answer != judge.Undecided, d.E < doubtAt, math.Abs(d.Estimate) < verdict.DoubtShare*r.Judge.MinEffect, math.Abs(d.Estimate) >= verdict.LayoutReach:
		return false
	case d.Estimate > 0:
		return r.Judge.Kind == judge.Regress
	}
	return !r.AtFloor
}

// looks reports whether an answer on one link of each side says that two sources
// are equally fast, as far as that link goes. A gate does not ask: it has many
// benchmarks, and excludes no more than a slowdown that counts.
func (q Question) looks(a Answer, now time.Time) bool {
	late := !q.Deadline.IsZero() && q.Deadline.Sub(now) < leastLinks
	return a.Verdict.Answer == model.NoEffect && q.Rules.Judge.Kind == judge.Regress && !q.Rules.AtFloor && q.Metric == nil && !late
}

// look runs duets on some pairs of fresh links where one link of each side says
// that there is no effect, adds their samples to the answer, and makes it a doubt
// where they do not agree. The pairs are returned, as the first units of what the
// doubt is put to. What cannot be linked again stands as it is.
func (t *Trial) look(ctx context.Context, q Question, links *producer, a *Answer) ([][2]model.Sample, error) {
	start := time.Now()
	var all [][2]model.Sample
	var ds []float64
	duets := perLook(a.Verdict.NoiseSD, q.Rules.Judge.MinEffect)
	for i := range verdict.Looks {
		l, err := links.next(ctx)
		if err != nil {
			return nil, ctx.Err()
		}
		pairs, d, err := t.linkUnit(ctx, q, l, i+1, duets)
		l.remove()
		if err != nil {
			return nil, err
		}
		all, ds = append(all, pairs...), append(ds, d)
	}
	a.doubt = !a.Look(q.Rules, ds, all[0][0].Ordered)
	a.Samples, a.Seconds = append(a.Samples, all...), a.Seconds+time.Since(start).Seconds()
	return all, nil
}

// linksAnew is what to try where there are no fresh links.
const linksAnew = "compare sources (git refs) instead of binaries, or a larger -budget: pawl then links both sides anew for each unit"

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
	err := error(&noLinks{errors.New("the binaries were not built to be linked again")})
	if q.Links != nil {
		var a Answer
		if a, err = t.askLinks(ctx, q, duetCost{seconds: 2 * q.Plan.SliceNs / 1e9}, watch); err == nil {
			return a, nil
		}
		if _, ok := asNoLinks(err); !ok {
			return a, err
		}
	}
	a, aerr := t.Ask(ctx, q, watch)
	if aerr == nil && verdict.NeedsLinks(a.Verdict) {
		a.Verdict.Warnings = append(a.Verdict.Warnings, model.Warning{
			Seen:  "measured on one link of each side",
			Cause: err.Error(),
			Try:   fmt.Sprintf("where the linker puts functions has moved a benchmark by 16 %%: read a difference below %.0f %% as one of these two binaries", 100*verdict.LayoutReach),
		})
	}
	return a, aerr
}

// moreLinks goes on where the question was put to fresh links and its budget was
// spent before an answer. What is known is in found; all units are one sequence.
func (t *Trial) moreLinks(ctx context.Context, q Question, found Answer, watch func(Progress)) (Answer, error) {
	first := slices.IndexFunc(found.Samples, func(p [2]model.Sample) bool { return p[0].Link > 0 })
	q.Prior, q.Budget = found.Samples[first:], q.linkTime(time.Now())
	duet := duetCost{seconds: 2 * q.Plan.SliceNs / 1e9}
	if found.Screen != nil {
		duet.sd = found.Screen.NoiseSD
	}
	a, err := t.askLinks(ctx, q, duet, watch)
	a.Screen, a.Samples = found.Screen, slices.Concat(found.Samples, a.Samples)
	a.Dropped, a.Seconds = found.Dropped, a.Seconds+found.Seconds
	return a, err
}

// askLinks is Ask with a pair of fresh links as the unit. Question.Prior may be the
// first ones; duet is about what one duet takes.
func (t *Trial) askLinks(ctx context.Context, q Question, duet duetCost, watch func(Progress)) (Answer, error) {
	links := t.produce(ctx, q.Links)
	defer links.stop()
	return t.askOn(ctx, q, links, duet, watch)
}

// askOn is askLinks on links that are being made.
func (t *Trial) askOn(ctx context.Context, q Question, links *producer, duet duetCost, watch func(Progress)) (Answer, error) {
	start := time.Now()
	seq := newSeries(q.Rules)
	var a Answer
	i := 0
	for rest := q.Prior; len(rest) > 0; i++ {
		n := slices.IndexFunc(rest, func(p [2]model.Sample) bool { return p[0].Link != rest[0][0].Link })
		if n < 0 {
			n = len(rest)
		}
		d, err := q.meanRatio(rest[:n])
		if err = errors.Join(err, seq.add(d)); err != nil {
			return a, err
		}
		rest = rest[n:]
	}
	for ; ; i++ {
		l, err := links.next(ctx)
		if err != nil {
			a.close(q, seq, true, start)
			if i == 0 && ctx.Err() == nil {
				return a, &noLinks{err}
			}
			return a, err
		}
		pairs, d, err := t.linkUnit(ctx, q, l, i+1, perLink(q.Rules.Judge, l.seconds, duet, seq.Decision(), float64(len(q.Prior)+len(a.Samples))/float64(i)))
		l.remove()
		a.Samples = append(a.Samples, pairs...)
		if err != nil {
			a.close(q, seq, true, start)
			return a, err
		}
		if err := seq.add(d); err != nil {
			return a, err
		}
		dec := seq.Decision()
		if watch != nil {
			watch(Progress{Units: i + 1, Links: true, Decision: dec})
		}
		if q.over(start) || seq.Enough() {
			a.close(q, seq, true, start)
			return a, nil
		}
	}
}

// perLink returns how many duets to run on the next pair of links, which took so long
// to make, in seconds: as many as decide soonest, by what the pairs so far show. Their
// noise is that of the duets (each: how many on a pair), and the luck of links,
// which more duets do not lower.
func perLink(r judge.Rules, link float64, duet duetCost, d judge.Decision, each float64) int {
	if d.Units < leastLinked || duet.sd <= 0 || duet.seconds <= 0 {
		return firstPerLink
	}
	luck := max(0, d.NoiseSD*d.NoiseSD-duet.sd*duet.sd/each)
	effect := min(math.Abs(d.Estimate), maxEffect)
	r.MaxUnits = math.MaxInt32 // what would take too long is not cheap
	best, least := firstPerLink, math.Inf(1)
	for n := 1; n <= maxPerLink; n++ {
		units := judge.UnitsFor(math.Sqrt(luck+duet.sd*duet.sd/float64(n)), effect, r)
		if took := float64(units) * (link + float64(n)*duet.seconds); took < least {
			best, least = n, took
		}
	}
	return best
}

// leastLinked is from how many pairs of links on they show their noise, and maxEffect
// the largest effect that there is a plan for.
const (
	leastLinked = 4
	maxEffect   = 0.99
)

// perLook returns how many duets to run on one pair of links that is looked at, where
// a duet has a noise of sd: the look is about half of the smallest effect, and the
// noise of a pair's mean should be half of that.
func perLook(sd, effect float64) int {
	return min(mostPerLook, max(1, int(math.Ceil(math.Pow(sd/(effect*verdict.DoubtShare/2), 2)))))
}

// mostPerLook ends a look at a noisy benchmark, as it takes a second with four duets.
const mostPerLook = 4

// linkUnit runs duets on one pair of links and returns the mean of their log
// ratios: one number for one pair of layouts.
func (t *Trial) linkUnit(ctx context.Context, q Question, l linked, link, duets int) ([][2]model.Sample, float64, error) {
	var pairs [][2]model.Sample
	for j := range duets {
		pair, err := t.run(ctx, q.Plan, l.base, l.cand, Unit{Index: j, Fresh: j == 0})
		if err != nil {
			return pairs, 0, err
		}
		for i := range pair {
			pair[i].Link, pair[i].Ordered = link, l.base.Ordered
		}
		pairs = append(pairs, pair)
	}
	d, err := q.meanRatio(pairs)
	return pairs, d, err
}

// meanRatio is the mean of the log ratios of pairs.
func (q Question) meanRatio(pairs [][2]model.Sample) (float64, error) {
	var sum float64
	for _, pair := range pairs {
		d, err := q.logRatio(pair)
		if err != nil {
			return 0, err
		}
		sum += d
	}
	return sum / float64(len(pairs)), nil
}
