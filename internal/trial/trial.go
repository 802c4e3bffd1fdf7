package trial

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// unitsPerSetting is after how many units the core and the file copies are
// chosen anew.
const unitsPerSetting = 5

// claimUnits is how many units beyond the least number a trial that has all it
// asked for goes on when it is about to show more: that the candidate is faster.
const claimUnits = 4

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
	Rules      judge.Rules
	// Floor, when it is above zero, also asks whether a slowdown by more than
	// this is excluded. AtFloor then ends the trial as soon as that is known
	// and MinUnits have run: the rest would only narrow the interval.
	Floor    float64
	AtFloor  bool
	MinUnits int
	Budget   time.Duration // 0: no limit but Rules.MaxUnits
	// Links and LinkBudget are for Judge's second stage.
	Links      Links
	LinkBudget time.Duration // 0: no limit but Rules.MaxUnits
	// Deadline cuts LinkBudget: a second stage that begins late ends there, or
	// after leastLinks. The zero time is none.
	Deadline time.Time
	// Prior are units of the same plan and binaries that have been run already,
	// for their counts; they are the first of this trial.
	Prior [][2]model.Sample
	// Level is the confidence of the interval that is shown; 0 means that of
	// the rules. A search spends its error over many questions, and the
	// intervals that go with it are wider than what a reader expects of one.
	Level float64
}

// An Answer is what a trial found out.
type Answer struct {
	Verdict       model.Verdict
	FloorExcluded bool // a slowdown by more than Question.Floor is excluded
	Samples       [][2]model.Sample
	Dropped       int // units that the system throttled, and that do not count
	Seconds       float64
	// Screen is what one link of each side said where fresh links followed.
	Screen *model.Verdict
	Linked bool // the verdict's units are pairs of fresh links
	Layout bool // it was taken back: not separable from layout
}

// Progress is how far a trial has come.
type Progress struct {
	Units    int
	Links    bool // the units are pairs of fresh links
	Decision judge.Decision
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
	start := time.Now()
	if err := q.Rules.Validate(); err != nil {
		return Answer{}, err
	}
	seq := newSequences(q)
	var a Answer
	for i := 0; ; i++ {
		pair, err := t.unit(ctx, q, i)
		if err != nil {
			a.close(q, seq, start)
			return a, err
		}
		if throttled(pair) && a.Dropped < maxDropped {
			a.Dropped++
			continue
		}
		d, err := logRatio(q.Plan, pair)
		if err != nil {
			a.close(q, seq, start)
			return a, err
		}
		if err := seq.add(d); err != nil {
			return a, err
		}
		a.Samples = append(a.Samples, pair)
		dec := seq.decision()
		if watch != nil {
			watch(Progress{Units: dec.Units, Decision: dec})
		}
		if enough(q, seq, dec, time.Since(start)) {
			a.close(q, seq, start)
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

// sequences are two views of the same units: one that answers, by the rules of
// the question, and one whose interval is shown; and the record of both.
type sequences struct {
	answers, shown *judge.Sequence
	course         *course
}

func newSequences(q Question) sequences {
	s := sequences{answers: judge.NewSequence(q.Rules), course: new(course)}
	s.shown = s.answers
	if q.Level > 0 {
		r := q.Rules
		r.Alpha = 1 - q.Level
		s.shown = judge.NewSequence(r)
	}
	return s
}

func (s sequences) add(logRatio float64) error {
	if err := s.answers.Add(logRatio); err != nil {
		return err
	}
	if s.shown != s.answers {
		if err := s.shown.Add(logRatio); err != nil {
			return err
		}
	}
	if s.course.unit(logRatio) {
		s.course.step(s.decision())
	}
	return nil
}

func (s sequences) decision() judge.Decision {
	d, shown := s.answers.Decision(), s.shown.Decision()
	d.Lo, d.Hi, d.Drifted = shown.Lo, shown.Hi, shown.Drifted
	return d
}

func enough(q Question, seq sequences, d judge.Decision, spent time.Duration) bool {
	if q.Budget > 0 && spent >= q.Budget {
		return true
	}
	if d.Units < q.MinUnits {
		return false
	}
	// Without a question about the floor, the judge's answer is the end. With
	// one, "no worthwhile effect" does not yet exclude the floor.
	if q.Floor <= 0 {
		return d.Done
	}
	if q.Rules.Kind == judge.Adopt && d.Hi < -q.Floor && d.Units < q.Rules.MinUnits()+claimUnits {
		return false // faster, as far as the shown interval goes: a few more units and it can be claimed
	}
	excluded := seq.answers.ExcludesSlowdown(q.Floor, q.Rules.Beta)
	switch {
	case d.Answer == judge.Faster, d.Units >= q.Rules.MaxUnits:
		return true
	case d.Answer == judge.Slower:
		// Whether it is slower by as much as counts is the question of a gate.
		return q.Rules.Kind == judge.Adopt || d.Estimate >= q.Floor || excluded
	default:
		return excluded && (q.AtFloor || d.Done)
	}
}

func (a *Answer) close(q Question, seq sequences, start time.Time) {
	a.Seconds = time.Since(start).Seconds()
	level := q.Level
	if level == 0 {
		level = q.Rules.Level()
	}
	last := seq.decision()
	a.Verdict = verdict(q.Plan, last, level)
	a.Verdict.Course = seq.course.end(last)
	a.Verdict.Links = a.Linked
	if a.Dropped > 0 {
		a.Verdict.Warnings = append(a.Verdict.Warnings, throttleWarning(a.Dropped))
	}
	if q.Floor > 0 {
		a.FloorExcluded = seq.answers.ExcludesSlowdown(q.Floor, q.Rules.Beta)
	}
	if a.Verdict.Answer == model.Undecided && !(q.AtFloor && a.FloorExcluded) {
		a.Layout = a.Linked
		a.Verdict.Warnings = append(a.Verdict.Warnings, a.open(q.Rules.MinUnits()))
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

// open says why there is no answer. A claim takes least units, however clear
// they are.
func (a *Answer) open(least int) model.Warning {
	units, noise := a.Verdict.Units, 100*a.Verdict.NoiseSD
	w := model.Warning{
		Seen:  fmt.Sprintf("not decided after %s", plural(units, "duet")),
		Cause: fmt.Sprintf("the effect is small beside the noise of %.1f %% a duet", noise),
		Try:   "a larger budget",
	}
	switch {
	case a.Linked:
		w.Seen = fmt.Sprintf("not separable from layout after %s of fresh links", plural(units, "pair"))
		w.Cause = fmt.Sprintf("where the linker puts the code moves this benchmark by %.1f %% a link", noise)
	case a.Verdict.Clear():
		w.Cause = "so few fitted into the budget: other programs are running, or a duet takes long"
	}
	if units < least {
		w.Cause = fmt.Sprintf("a claim takes %d at the least, however clear they are", least)
		w.Try = "a larger budget, or fewer benchmarks"
	}
	return w
}

// plural is a number with its noun.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// logRatio returns ln(candidate ÷ base) of the metric that the plan compares.
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

func verdict(p model.Plan, d judge.Decision, level float64) model.Verdict {
	lo, hi := d.Finite()
	v := model.Verdict{
		Benchmark: p.Benchmark,
		Metric:    Metric(p.Mode),
		Answer:    model.Answer(d.Answer),
		Change:    d.Estimate,
		Lo:        lo,
		Hi:        hi,
		Level:     level,
		Units:     d.Units,
		Evidence:  d.E,
		NoiseSD:   d.NoiseSD,
	}
	if d.Drifted {
		v.Warnings = append(v.Warnings, model.Warning{
			Seen:  "no single difference fits all units: it moved during the trial",
			Cause: "a machine that throttles, or caches that warm up",
			Try:   "another run, on a quieter machine",
		})
	}
	if p.Mode == model.Alternate {
		v.Warnings = append(v.Warnings, model.Warning{
			Seen:  "compared by wall time, in alternating slices",
			Cause: "the benchmark sleeps, does I/O or runs in parallel, and CPU time does not show that",
			Try:   "read the interval, not the estimate: its precision is low on a busy machine",
		})
	}
	return v
}

// Metric names what a mode compares.
func Metric(m model.Mode) string {
	if m == model.Alternate {
		return "wall/op"
	}
	return "cpu/op"
}
