package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A contest is one match on its way to a standing.
type contest struct {
	match
	c     model.Compared
	rules verdict.Rules
	found *trial.Found // nil before its allocations are counted
	bad   []verdict.Regression
	unit  time.Duration // of one duet, about
	timed bool          // its time is known, or will not be
	over  bool          // it has its standing
	// metrics are those that it reports itself.
	metrics []*reported
	saved   int // samples that are in the files
}

// A rounds is the order in which contests come to their standings.
type rounds struct {
	judging
	all []*contest
}

// newRounds makes contests of matches. What the census counted is read at once.
func newRounds(j judging, matches []match) *rounds {
	r := &rounds{judging: j}
	pool(matches)
	rules := j.rules(j.opt.Alpha / float64(max(1, len(matches))))
	for _, m := range matches {
		q := &contest{match: m, rules: rules, c: model.Compared{Benchmark: m.bm, Standing: model.Open, Source: m.source, Code: m.code}}
		if q.c.Counts = m.census.Counts; m.census.Counts != nil {
			q.read(nil)
		}
		r.all = append(r.all, q)
	}
	return r
}

// judgeAll judges all within the budget, in three rounds. The first
// counts the allocations of all, which is exact. The second asks each for its
// time, on one link of each side, as far as -per-benchmark goes. The third
// spends what is left on what is still open: on fresh links, or more duets. What
// is not decided then is undecided, by name.
//
// Which contest is next may depend on what was measured: each judges by its own
// units alone, at its own part of the error rate, and may stop at any time.
func (r *rounds) judgeAll(ctx context.Context) error {
	err := r.counts(ctx)
	if err == nil {
		err = r.times(ctx)
	}
	if err == nil {
		err = r.rest(ctx)
	}
	for _, q := range r.all {
		err = errors.Join(err, r.settle(ctx, q))
	}
	r.excluded()
	for _, u := range r.trial.Unsteady() {
		if i := slices.IndexFunc(r.cmp.Benchmarks, func(c model.Compared) bool { return c.Benchmark == u.Benchmark }); i >= 0 {
			r.cmp.Benchmarks[i].Warnings = append(r.cmp.Benchmarks[i].Warnings, u.Warning())
		}
	}
	return err
}

// counts is the first round, of what the census came to no result on.
func (r *rounds) counts(ctx context.Context) error {
	slices.SortStableFunc(r.all, func(a, b *contest) int { return cmp.Compare(b.rises(), a.rises()) })
	uncounted := slices.DeleteFunc(slices.Clone(r.all), func(q *contest) bool { return q.c.Counts != nil })
	enough := r.left() / 2
	return r.round(ctx, uncounted, func(i int, q *contest) error {
		if r.left() < enough {
			return nil
		}
		r.stage(fmt.Sprintf("counting allocations, %d of %d", i+1, len(uncounted)), q.bm.String())
		return r.count(ctx, q, max(r.left()/calibShare/time.Duration(len(uncounted)-i), leastMeasure))
	})
}

// times is the second round. A gate that has its answer asks no more for the time of what is
// known to allocate more.
func (r *rounds) times(ctx context.Context) error {
	r.announce()
	slices.SortStableFunc(r.all, func(a, b *contest) int { return cmp.Compare(b.looks(), a.looks()) })
	return r.round(ctx, r.all, func(i int, q *contest) error {
		if r.settled() && len(q.bad) > 0 {
			return nil
		}
		r.stage(fmt.Sprintf("time of %d of %d", i+1, len(r.all)), q.bm.String())
		share := r.share(len(r.all) - i)
		if q.found == nil {
			if err := r.count(ctx, q, max(share, leastMeasure)); err != nil {
				return err
			}
		}
		return r.step(ctx, q, min(r.opt.PerBenchmark, share), true)
	})
}

// announce says what the contests will take, on the grounds of how long their
// first duets took, and what is done where there is less.
func (r *rounds) announce() {
	if r.opt.Watch == nil {
		return
	}
	var need time.Duration
	n, busy := 0, crowded(r.all)
	for _, q := range r.all {
		if q.over {
			continue
		}
		if q.unit == 0 {
			q.unit = time.Duration(busy * float64(usualUnit))
		}
		need += q.need()
		n++
	}
	if n == 0 {
		return
	}
	text := fmt.Sprintf("%s: needs about %s", words.Plural(n, "benchmark"), about(need))
	if left := max(0, r.left()); need > left {
		text += fmt.Sprintf(", and %s of -budget are left", about(left))
		if n > 1 {
			text += ": begins with those that look slowest"
		}
	}
	r.opt.Watch.Line(text)
}

// leastRound is how much time another round has to have.
const leastRound = 3 * time.Second

// rest spends what is left on what is open, what needs least first, and then on a
// look at fresh links of what is clean, until all is decided or no time is left. A gate that has found a regression is decided: what
// is open then does not change its answer.
func (r *rounds) rest(ctx context.Context) error {
	for !r.settled() {
		open := slices.DeleteFunc(slices.Clone(r.all), func(q *contest) bool { return q.over || q.found == nil })
		if len(open) == 0 || r.left() < leastRound {
			return ctx.Err()
		}
		slices.SortStableFunc(open, func(a, b *contest) int { return cmp.Compare(a.need(), b.need()) })
		slices.SortStableFunc(open, func(a, b *contest) int { return cmp.Compare(a.late(), b.late()) })
		err := r.round(ctx, open, func(i int, q *contest) error {
			stage := "what is open"
			if q.unlooked() {
				stage = "fresh links of what is clean"
			}
			r.stage(fmt.Sprintf("%s, %d of %d", stage, i+1, len(open)), q.bm.String())
			return r.step(ctx, q, r.share(len(open)-i), false)
		})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// late is 1 for what comes last among what is not over: it has a standing.
func (q *contest) late() int {
	if q.unlooked() {
		return 1
	}
	return 0
}

// leastShare is the least time that a contest gets where the budget, evenly split,
// would give it less: in less there is no answer at all.
const leastShare = 5 * time.Second

// settled reports whether a gate has its answer.
func (s *session) settled() bool { return s.opt.gate() && s.cmp.Count(model.Regressed) > 0 }

// share is an equal part of what is left, for one of so many contests.
func (r *rounds) share(of int) time.Duration {
	return max(r.left()/time.Duration(max(1, of)), leastShare)
}

// excluded says how large a slowdown is excluded where the question is open: how
// much can have passed a gate that lets that through.
func (r *rounds) excluded() {
	worst, known, open := 0.0, 0, 0
	for _, c := range r.cmp.Benchmarks {
		if c.Standing != model.Open || slices.ContainsFunc(c.Metrics, func(m model.Reported) bool { return m.Standing == model.Open && !cpuOf(m) }) {
			continue
		}
		open++
		if v := c.Verdict; v != nil && v.Units > 0 && v.Hi < 1 {
			worst, known = max(worst, v.Hi), known+1
		}
	}
	if open == 0 {
		return
	}
	seen := words.Plural(open, "benchmark") + " undecided: "
	switch {
	case known == 0 && open == 1:
		seen += "nothing is known of its time yet"
	case known == 0:
		seen += "nothing is known of their time yet"
	case known == open:
		seen += "a slowdown of more than " + words.Percent(worst) + " is excluded"
	default:
		seen += fmt.Sprintf("a slowdown of more than %s is excluded in %d of them, and of the others nothing is known", words.Percent(worst), known)
	}
	r.warn(model.Warning{Seen: seen, Cause: "too little time for them, or a busy machine", Try: "a larger -budget, or fewer benchmarks by -bench"})
}

// rises says by how much more a benchmark allocates, as far as the census knows.
func (q *contest) rises() float64 {
	return q.census.Pair[1].AllocsPerOp() - q.census.Pair[0].AllocsPerOp()
}

// leastLook is how much CPU time of a census, in ns, says something of time.
const leastLook = 1e5

// looks says how slow a benchmark looks at the first glance. What is known to
// allocate more is decided, and comes last.
func (q *contest) looks() float64 {
	pair := q.census.Pair
	if q.found != nil && len(q.found.Samples) > 0 {
		pair = q.found.Samples[0]
	}
	switch {
	case len(q.bad) > 0:
		return math.Inf(-1)
	case pair[0].CPUNs*float64(pair[0].N) < leastLook:
		return 1
	}
	return pair[1].CPUNs / pair[0].CPUNs
}

// round runs one step of each contest that is not over, as long as there is
// time.
func (r *rounds) round(ctx context.Context, all []*contest, step func(i int, q *contest) error) error {
	for i, q := range all {
		if q.over {
			continue
		}
		if r.left() <= 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		start, cpu := time.Now(), gocmd.ChildCPU().Seconds()
		err := r.failed(ctx, q, step(i, q))
		q.c.Seconds += time.Since(start).Seconds()
		q.c.CPU += gocmd.ChildCPU().Seconds() - cpu
		if err == nil && q.over {
			err = r.settle(ctx, q)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// failed turns an error of a benchmark into its standing, and returns others.
func (r *rounds) failed(ctx context.Context, q *contest, err error) error {
	var f *bench.Failure
	var u *trial.Unsteady
	switch {
	case err == nil, ctx.Err() != nil:
		return err
	case errors.As(err, &f) && f.Late && q.c.Standing == model.Regressed: // by its counts, say
	case errors.As(err, &f) && f.Late:
		q.c.Standing, q.c.Why = model.Open, lateOn(cmp.Or(f.Arm, model.Base), f)
		q.c.Ended = f.Arm == model.Candidate
	case errors.As(err, &u):
		q.c.Why = "whose doing it is cannot be told: " + u.Error()
	case errors.As(err, &f) && f.Skipped:
		q.c.Standing, q.c.Why = model.OneSided, err.Error()
	case errors.As(err, &f):
		q.c.Standing, q.c.Why = model.Failed, err.Error()
	default:
		return fmt.Errorf("%s: %w", q.bm.Name, err)
	}
	q.over = true
	return nil
}

// settle writes down the standing of a contest, once. One that is not over has
// lacked time.
func (r *rounds) settle(ctx context.Context, q *contest) error {
	if slices.ContainsFunc(r.cmp.Benchmarks, func(c model.Compared) bool { return c.Benchmark == q.bm }) {
		return nil
	}
	switch {
	case q.unlooked():
		q.c.Why += "; by one link of each side alone"
	case !q.over:
		r.unfinished(ctx, q)
	}
	r.accept(&q.c, q.bad)
	r.cmp.Benchmarks = append(r.cmp.Benchmarks, q.c)
	r.opt.Watch.Line(fmt.Sprintf("%s: %s: %s", q.bm, q.c.Standing, q.c.Why))
	return r.save.save(r.cmp)
}

// unfinished says why a contest is not over.
func (r *rounds) unfinished(ctx context.Context, q *contest) {
	why := fmt.Sprintf("the budget of %s is spent; a larger -budget, or fewer benchmarks by -bench", r.opt.Budget)
	switch {
	case ctx.Err() != nil && !spent(ctx):
		why, r.cmp.Stopped = interrupted, interrupted
	case r.settled() && r.left() > leastRound:
		why = "no more time was spent on it, since the gate has its answer"
	default:
		r.cmp.Stopped = outOfTime
	}
	switch {
	case q.c.Counts == nil:
		q.c.Why = "not run: " + why
	case q.c.Standing == model.Open:
		q.c.Why += ": " + why
	}
}
