package attempt

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
	"github.com/pawl-dev/pawl/judge"
)

// A jury are the benchmarks that say what a change does: those that judge it, and those
// that must not pay for it.
type jury struct {
	p          *Prover
	policy     Policy
	change     model.Change
	number     int // of the change in this run
	base, next *state.State
	changed    func(model.Pos) bool // whether a place of base is in code that the change may alter
	asked      int                  // how many have judged it
}

// jury returns the benchmarks that the change is for now before.
func (t *subject) jury() *jury {
	return &jury{t.p, t.policy, t.Change, t.number, t.Base, t.Next, t.altered(), len(t.Verdicts)}
}

// judges are the benchmarks that the change is judged by: those of its policy,
// or else that of its first target.
func (j *jury) judges() []model.Plan {
	if j.policy.judges != nil {
		return j.policy.judges
	}
	return []model.Plan{j.p.plan(j.change.Targets[0].Benchmark)}
}

// besides lists the plans of benchmarks that do not judge the change and whose
// profiles show a function that it touches.
func (j *jury) besides() []model.Plan {
	if j.policy.others != nil {
		return j.policy.others
	}
	var out []model.Plan
	for _, p := range j.p.Plans {
		judges := slices.ContainsFunc(j.judges(), func(q model.Plan) bool { return q.Benchmark == p.Benchmark })
		if !judges && j.base.Runs(p.Benchmark, j.changed) {
			out = append(out, p)
		}
	}
	return out
}

// alphaOfEach is the error rate that each of the benchmarks that judge may have.
func (j *jury) alphaOfEach() float64 {
	return j.p.Rules(j.number).Alpha / float64(max(1, len(j.judges())))
}

// soundUnits is how many duets an allocation win takes at least where something
// rests on the interval of its time, what it is worth in production: with fewer
// that has no ends.
const soundUnits = 8

// linkShare is how much longer than the duets of one link the fresh links of a
// small difference may take.
const linkShare = 3

// judgeShare is the part of what is left that the duets of a change alone may
// take: the peak of the heap and other benchmarks come after them.
const judgeShare = 0.7

// The duets of one change of many may take a third of what is left, fresh links included, or
// searchLeast where that is more: what is not decided in it stays so until all others have had their turn.
const (
	searchShare = 3
	searchLeast = 8 * time.Second
)

// share is how long the duets of the next benchmark may take. Where the run is
// about this change alone it ends with the budget, so that each has its part, and
// its fresh links theirs. Where nothing else is left to try, most of the rest is for this.
func (j *jury) share() time.Duration {
	left := j.p.Left()
	switch {
	case j.policy.alone:
	case j.p.Last:
		return time.Duration(judgeShare * float64(left))
	default:
		return min(left, max(left/searchShare, searchLeast))
	}
	questions := max(1, len(j.judges())-j.asked) * (1 + linkShare)
	return time.Duration(judgeShare * float64(left) / float64(questions))
}

// most is how long they may take with their fresh links.
func (j *jury) most() time.Duration {
	if j.policy.alone {
		return j.p.Left()
	}
	return j.share()
}

// ask puts one question to the trial and keeps its samples.
func (j *jury) ask(ctx context.Context, p model.Plan, rules judge.Rules, counts []model.Exact, prior [][2]model.Sample) (trial.Found, error) {
	bm := p.Benchmark
	c := trial.Comparison{
		Question: trial.Question{
			Plan: p, Base: j.base.Binary(bm.Pkg), Cand: j.next.Binary(bm.Pkg), Prior: prior,
			Rules:  verdict.Rules{Judge: rules, Level: 1 - j.p.Alpha, GainOnly: !j.policy.alone},
			Budget: min(j.p.PerChange, max(j.share(), time.Second)),
		},
		Counts: counts, CountAlpha: rules.Alpha / countMetrics, Narrow: j.narrow,
	}
	if links, ok := j.next.Links(j.base, bm.Pkg); ok {
		c.Links, c.LinkBudget = links, linkShare*c.Budget
		c.Deadline = time.Now().Add(max(j.most(), time.Second))
	}
	f, err := j.p.Trial.Compare(ctx, c, func(pr trial.Progress) { j.p.M.Watch.Detail(DuetText(bm, pr)) })
	if !j.policy.alone && f.Verdict.Units > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = nil // what was measured until the time was over stands, and decides nothing
	}
	if f.Counts == nil {
		return f, err
	}
	return f, errors.Join(err, j.p.M.SaveSamples(bm, j.change.ID, f.Samples))
}

// narrow asks less of a change that saves allocations: that it costs no time.
// A slowdown by the floor is excluded as soon as the evidence against one reaches
// 1/β, which holds after any unit: ExcludesSlowdown errs in at most β of the
// cases however often it is asked. Six duets that agree suffice, and the counts
// have taken three of them. How much faster it is, is for the end to say: original against
// final, on fresh links.
func (j *jury) narrow(r verdict.Rules, counts []model.Exact) verdict.Rules {
	if allocationWin(counts) {
		r.Floor, r.AtFloor = verdict.LayoutFloor, true
		if j.p.Production != nil {
			r.MinUnits = soundUnits
		}
	}
	return r
}
