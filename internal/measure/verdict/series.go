package verdict

import (
	"fmt"
	"math"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// A Series is the units of one metric under rules: a sequence that answers, and
// one whose interval is shown. It is not safe for concurrent use.
type Series struct {
	rules          Rules
	answers, shown *judge.Sequence
}

// NewSeries returns an empty series. It panics on rules that do not validate,
// as judge.NewSequence does.
func NewSeries(r Rules) *Series {
	s := &Series{rules: r, answers: judge.NewSequence(r.Judge)}
	s.shown = s.answers
	if r.Level > 0 {
		shown := r.Judge
		shown.Alpha = 1 - r.Level
		s.shown = judge.NewSequence(shown)
	}
	return s
}

// Add takes the next unit, the log of candidate over base. Its error is that of
// judge.Sequence.Add.
func (s *Series) Add(logRatio float64) error {
	err := s.answers.Add(logRatio)
	if err == nil && s.shown != s.answers {
		err = s.shown.Add(logRatio)
	}
	return err
}

// Decision returns what can be said after the units so far, with the interval
// that is shown.
func (s *Series) Decision() judge.Decision {
	d, shown := s.answers.Decision(), s.shown.Decision()
	d.Lo, d.Hi, d.Drifted = shown.Lo, shown.Hi, shown.Drifted
	return d
}

// excludes reports whether a slowdown by more than the floor is excluded.
func (s *Series) excludes() bool {
	return s.rules.Floor > 0 && s.answers.ExcludesSlowdown(s.rules.Floor, s.rules.Judge.Beta)
}

// Enough reports whether the question is answered, or has had all its units.
func (s *Series) Enough() bool {
	r, d := s.rules, s.Decision()
	if d.Units < r.MinUnits {
		return false
	}
	// Without a question about the floor, the judge's answer is the end. With
	// one, "no worthwhile effect" does not yet exclude the floor.
	if r.Floor <= 0 {
		return d.Done
	}
	excluded := s.excludes()
	switch {
	case d.Answer == judge.Faster, d.Units >= r.Judge.MaxUnits:
		return true
	case d.Answer == judge.Slower:
		// Whether it is slower by as much as counts is the question of a gate.
		return r.Judge.Kind == judge.Adopt || d.Estimate >= r.Floor || excluded
	default:
		return excluded && (r.AtFloor || d.Done)
	}
}

// An Answer is what the units of one metric say.
type Answer struct {
	Verdict       model.Verdict
	FloorExcluded bool // a slowdown by more than Rules.Floor is excluded
	Linked        bool // the units are pairs of fresh links
	Ordered       bool // both sides of these have their functions in one order
	Looked        bool // no effect on one link of each side, and none on some fresh links
	Layout        bool // taken back, or undecided on fresh links: not separable from layout
	// Lacks says what an undecided verdict lacks whose interval leaves out zero.
	Lacks string
}

// Answer reads the units so far. linked says that they are pairs of fresh
// links. Verdict.Warnings say what weakens it, and Open what an answer lacks.
func (s *Series) Answer(bm model.Benchmark, metric string, linked bool) Answer {
	d := s.Decision()
	lo, hi := d.Finite()
	a := Answer{
		Verdict: model.Verdict{
			Benchmark: bm, Metric: metric, Answer: model.Answer(d.Answer), Change: d.Estimate, Lo: lo, Hi: hi, Level: s.rules.level(),
			Units: d.Units, Links: linked, Evidence: min(d.E, math.MaxFloat64), NoiseSD: d.NoiseSD,
		},
		Linked: linked, FloorExcluded: s.excludes(),
	}
	if d.Drifted {
		a.Verdict.Warnings = append(a.Verdict.Warnings, s.rules.From.drifted(metric))
	}
	if metric == Wall {
		a.Verdict.Warnings = append(a.Verdict.Warnings, byWall)
	}
	if a.open() {
		a.Lacks = lacks(s.rules.Judge, s.answers.Decision(), d)
		a.Layout = linked && a.Lacks == ""
	}
	return a
}

// open reports whether an answer leaves open what was asked.
func (a *Answer) open() bool { return a.Verdict.Answer == model.Undecided && !a.FloorExcluded }

// lacks says why nothing is claimed where the interval that is shown leaves out
// zero: it is for this question alone, and a claim is one of many.
func lacks(r judge.Rules, claim, shown judge.Decision) string {
	level := fmt.Sprintf("%.4g %%", 100*r.Level())
	switch {
	case shown.Lo <= 0 && shown.Hi >= 0:
		return ""
	case claim.Units < r.MinUnits():
		return fmt.Sprintf("a claim needs %s confidence, since it is one of several, and that takes %d of them", level, r.MinUnits())
	case !claim.Bounded():
		return fmt.Sprintf("a claim needs %s confidence, since it is one of several, and that interval is open", level)
	}
	return words.Minus(fmt.Sprintf("a claim needs %s confidence, since it is one of several, and that interval is [%+.1f, %+.1f] %%", level, 100*claim.Lo, 100*claim.Hi))
}

// minSD is the least noise that NoiseSD reports: a few units that happen to
// agree do not make a machine noiseless. It is the noise of a pure ALU loop in
// duets on a quiet machine.
const minSD = 0.004

// NoiseSD estimates the standard deviation of a unit from a few log ratios of
// base against base. Their mean is known to be zero. From so few it takes the
// root mean square, not a robust estimate: an outlier here is a fact about the
// machine.
func NoiseSD(ds []float64) float64 {
	var sum float64
	for _, d := range ds {
		sum += d * d
	}
	return max(minSD, math.Sqrt(sum/float64(len(ds))))
}
