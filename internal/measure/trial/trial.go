package trial

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// unitsPerSetting is after how many units the core and the file copies are
// chosen anew.
const unitsPerSetting = 5

// A Runner runs single units, here or on another machine. Both arms of a unit
// always run on the same machine.
type Runner interface {
	// Unit runs one unit of the plan and returns the samples of base and
	// candidate, in this order whichever was started first.
	Unit(ctx context.Context, p model.Plan, base, cand *bench.Binary, u Unit) ([2]model.Sample, error)
}

// A Unit says how one unit is to be run.
type Unit struct {
	Index     int
	BaseFirst bool
	Fresh     bool // choose the core and copy the binaries anew
}

// A Question is what a trial is to find out.
type Question struct {
	Plan       model.Plan
	Base, Cand *bench.Binary
	Rules      verdict.Rules
	Budget     time.Duration // 0: no limit but the rules' largest number of units
	// Metric is what is asked of in place of time, where it is set: a figure that
	// the benchmark reports. One that is taken from a clock needs a plan in which the
	// arms take turns.
	Metric *verdict.Reported
	// Links and LinkBudget are for judge's second stage.
	Links      Links
	LinkBudget time.Duration // as Budget
	// Deadline cuts LinkBudget: a second stage that begins late ends there, or
	// after leastLinks. The zero time is none.
	Deadline time.Time
	// Prior are units of the same plan and binaries that have been run already,
	// for their counts; they are the first of this trial.
	Prior [][2]model.Sample
}

// An Answer is what a trial found out.
type Answer struct {
	verdict.Answer
	Samples [][2]model.Sample
	Dropped int // units that the system throttled, and that do not count
	Seconds float64
	// Screen is what one link of each side said where fresh links followed.
	Screen *model.Verdict

	doubt bool // it ended early, for fresh links to answer
}

// Progress is how far a trial has come.
type Progress struct {
	Units    int
	Links    bool // the units are pairs of fresh links
	Decision judge.Decision
}

// leastShown is after how many units progress shows an estimate.
const leastShown = 4

// Text says how many units there are and what they show so far, with an
// interval once it has two ends: "12 duets, +0.4 % [-1.2, +2.1]".
func (p Progress) Text() string {
	d := p.Decision
	text := verdict.Units(p.Units, p.Links)
	if d.Units >= leastShown {
		text += fmt.Sprintf(", %+.1f %%", 100*d.Estimate)
	}
	if d.Bounded() && d.Hi < 1 {
		text += fmt.Sprintf(" [%+.1f, %+.1f]", 100*d.Lo, 100*d.Hi)
	}
	return text
}

// A Trial runs questions through one Runner, with one source of coin flips.
type Trial struct {
	runner Runner
	coin   *rand.Rand
	failed map[model.Benchmark]*Unsteady // since the last call of Unsteady
}

// New returns a Trial whose coin flips follow from seed.
func New(r Runner, seed uint64) *Trial {
	return &Trial{runner: r, coin: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), failed: make(map[model.Benchmark]*Unsteady)}
}

// Ask runs units until the question is answered or its budget is spent, and
// calls watch after each. When ctx ends, the answer so far comes with its
// error.
func (t *Trial) Ask(ctx context.Context, q Question, watch func(Progress)) (Answer, error) {
	return t.ask(ctx, q, watch, nil)
}

// ask is Ask that also ends when what it sees is for fresh links to answer.
func (t *Trial) ask(ctx context.Context, q Question, watch func(Progress), doubts func(verdict.Rules, judge.Decision) bool) (Answer, error) {
	start := time.Now()
	if err := q.Rules.Judge.Validate(); err != nil {
		return Answer{}, err
	}
	seq := newSeries(q.Rules)
	var a Answer
	for i := 0; ; i++ {
		pair, err := t.unit(ctx, q, i)
		if err != nil {
			a.close(q, seq, false, start)
			return a, err
		}
		if throttled(pair) && a.Dropped < maxDropped {
			a.Dropped++
			continue
		}
		d, err := q.logRatio(pair)
		if err != nil {
			a.close(q, seq, false, start)
			return a, err
		}
		if err := seq.add(d); err != nil {
			return a, err
		}
		a.Samples = append(a.Samples, pair)
		dec := seq.Decision()
		if watch != nil {
			watch(Progress{Units: dec.Units, Decision: dec})
		}
		over := q.over(start) || seq.Enough()
		if a.doubt = !over && doubts != nil && doubts(q.Rules, dec); over || a.doubt {
			a.Samples = append(a.Samples, q.Prior[min(i+1, len(q.Prior)):]...) // they were measured, and are kept
			a.close(q, seq, false, start)
			return a, nil
		}
	}
}

// maxDropped is how many throttled units a trial leaves out. Where the quota is
// so small that more of them are, leaving them all out would leave nothing, and
// what remains counts, with a warning.
const maxDropped = 20

// throttled reports whether the system kept the processes of a unit from
// running because their quota was used up. That is known without looking at the
// unit's result, so that leaving it out cannot favour an answer.
func throttled(pair [2]model.Sample) bool {
	return pair[0].ThrottledNs > 0 || pair[1].ThrottledNs > 0
}

// unit runs unit i of a question, or takes it from those that have been run.
func (t *Trial) unit(ctx context.Context, q Question, i int) ([2]model.Sample, error) {
	if i < len(q.Prior) {
		return q.Prior[i], ctx.Err()
	}
	return t.run(ctx, q.Plan, q.Base, q.Cand, Unit{Index: i, Fresh: i%unitsPerSetting == 0})
}

// A series is units under rules, with the record of how the verdict comes about.
type series struct {
	*verdict.Series
	course course
}

func newSeries(r verdict.Rules) *series { return &series{Series: verdict.NewSeries(r)} }

func (s *series) add(logRatio float64) error {
	if err := s.Add(logRatio); err != nil {
		return err
	}
	if s.course.unit(logRatio) {
		s.course.step(s.Decision())
	}
	return nil
}

// over reports whether the budget of a question that was put at start is spent.
func (q Question) over(start time.Time) bool { return q.Budget > 0 && time.Since(start) >= q.Budget }

func (a *Answer) close(q Question, s *series, linked bool, start time.Time) {
	a.Seconds = time.Since(start).Seconds()
	a.Answer = s.Answer(q.Plan.Benchmark, q.metric(), linked)
	a.Ordered = linked && slices.ContainsFunc(slices.Concat(q.Prior, a.Samples), func(p [2]model.Sample) bool { return p[0].Ordered })
	a.Verdict.Course = s.course.end(s.Decision())
	if a.Dropped > 0 {
		a.Verdict.Warnings = append(a.Verdict.Warnings, throttleWarning(a.Dropped))
	}
	if w, ok := s.Open(a.Answer); ok && !a.doubt {
		a.Verdict.Warnings = append(a.Verdict.Warnings, w)
	}
}

func throttleWarning(dropped int) model.Warning {
	w := model.Warning{
		Seen:  fmt.Sprintf("%d units were left out because the system throttled their processes", dropped),
		Cause: "the CPU quota of the control group was used up",
		Try:   "give the container a whole CPU or more",
	}
	if dropped >= maxDropped {
		w.Seen += ", and throttled ones after that were kept, since there would be none left"
	}
	return w
}

// metric names what is asked of.
func (q Question) metric() string {
	if q.Metric != nil {
		return q.Metric.Unit
	}
	return verdict.Metric(q.Plan.Mode)
}

// logRatio returns ln(candidate ÷ base) of what is asked of.
func (q Question) logRatio(pair [2]model.Sample) (float64, error) {
	if q.Metric != nil {
		return q.Metric.LogRatio(pair)
	}
	return logRatio(q.Plan, pair)
}

// logRatio returns ln(candidate ÷ base) of the time that the plan compares.
func logRatio(p model.Plan, pair [2]model.Sample) (float64, error) {
	b, c := pair[0].CPUNs, pair[1].CPUNs
	if p.Mode == model.Alternate {
		b, c = pair[0].WallNs, pair[1].WallNs
	}
	if !(b > 0) || !(c > 0) {
		return 0, fmt.Errorf("%s: a slice of %d iterations took no measurable time", p.Benchmark.Name, p.N)
	}
	return math.Log(c / b), nil
}
