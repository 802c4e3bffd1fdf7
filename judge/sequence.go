package judge

import (
	"fmt"
	"math"
	"slices"
)

// An Answer is what the judge says about two versions.
type Answer string

// The answers.
const (
	Faster    Answer = "faster"
	Slower    Answer = "slower"
	NoEffect  Answer = "no worthwhile effect"
	Undecided Answer = "undecided"
)

// A Sequence is a sequential test of paired log ratios D = ln(candidate/base)
// of a cost, such as CPU time per op. It may be asked after every unit
// without any loss of its guarantees. It is not safe for concurrent use.
type Sequence struct {
	rules  Rules
	units  []float64 // in the order they came
	sorted []float64 // the same, ascending
	zero   *process  // at no effect
	gain   *process  // at an improvement by MinEffect
	loss   *process  // at a slowdown by MinEffect
	probe  *process  // memory for the search of the interval's ends

	minUnits int
	answer   Answer
	last     *Decision // Decision's answer, until the next unit
}

// NewSequence returns an empty sequence. It panics on rules that do not
// validate: rules are constants of a program, and where they come from a user
// the program calls Rules.Validate first.
func NewSequence(r Rules) *Sequence {
	if err := r.Validate(); err != nil {
		panic("judge: " + err.Error())
	}
	return &Sequence{
		rules:    r,
		zero:     newProcess(0),
		gain:     newProcess(r.gain()),
		loss:     newProcess(r.loss()),
		probe:    newProcess(0),
		minUnits: r.MinUnits(),
		answer:   Undecided,
	}
}

// maxLog is the largest log ratio that two finite, positive float64 can have.
const maxLog = 1455

// Add takes the next unit: the log of candidate over base. It returns an
// error, and takes nothing, for what cannot be such a log: NaN, an infinity
// (a time of zero), or a number beyond ±1455.
//
// A caller may go on after the sequence is done; nothing is lost by it. What
// has been shown stays shown: faster and slower are final, and “no worthwhile
// effect” gives way only to one of these.
func (s *Sequence) Add(logRatio float64) error {
	if math.IsNaN(logRatio) || math.Abs(logRatio) > maxLog {
		return fmt.Errorf("unit %d: %v is not the log of a ratio of two times: leave the unit out", len(s.units)+1, logRatio)
	}
	s.last = nil
	s.units = append(s.units, logRatio)
	i, _ := slices.BinarySearch(s.sorted, logRatio)
	s.sorted = slices.Insert(s.sorted, i, logRatio)
	for _, p := range []*process{s.zero, s.gain, s.loss} {
		p.add(logRatio)
	}
	s.decide()
	return nil
}

// decide moves the answer forward after a unit.
//
// Faster and slower wait until the interval agrees with them. Its end is the
// outermost value that cannot be excluded. In a sequence that is decided within
// its first dozen units, some values far away may take a unit longer to exclude
// than zero. On average that is 0.4 units at an effect of five times the noise,
// and 0.02 at half the noise. “No worthwhile effect” waits for the first unit
// at which there can be an interval: the large slowdown gets its own name by
// then, and no answer comes without bounds.
func (s *Sequence) decide() {
	if s.answer == Faster || s.answer == Slower {
		return
	}
	t := s.rules.claim()
	switch {
	case s.zero.top[below] >= t && upperEnd(s.units, s.sorted, t, s.probe) <= 0:
		s.answer = Faster
	case s.zero.top[above] >= t && lowerEnd(s.units, s.sorted, t, s.probe) >= 0:
		s.answer = Slower
	case s.futility() >= s.rules.exclusion() && len(s.units) >= s.minUnits:
		s.answer = NoEffect
	}
}

// futility returns the e-value for “no worthwhile effect”. With Adopt it is
// the one against an improvement of MinEffect or more. With Regress an effect
// of MinEffect must be excluded on both sides. The two cannot both be wrong,
// so the lesser of the two e-values needs no correction for being one of two
// (the intersection–union argument of equivalence tests).
func (s *Sequence) futility() float64 {
	e := s.gain.top[above]
	if s.rules.Kind == Regress {
		e = min(e, s.loss.top[below])
	}
	return e
}

// A Decision is the state of a sequence after some units. Changes are
// relative, candidate ÷ base − 1: −0.02 is two per cent less.
type Decision struct {
	Answer Answer
	// Estimate is the change: the median of the log ratios, from eight units on
	// their Hodges–Lehmann estimate. It is drawn towards zero as far as it rests
	// on few units or noisy ones, because sequences end early when luck helps (see
	// “The estimate” in the package comment). It lies between Lo and Hi. 0 without
	// units.
	Estimate float64
	// Lo and Hi hold the true change with confidence Rules.Level, at whatever unit
	// the sequence is stopped. Lo is −1 and Hi is +Inf while nothing can be said,
	// which is so for fewer than Rules.MinUnits units. An answer of faster or
	// slower never contradicts them, unless Drifted. See Finite.
	Lo, Hi float64
	Units  int
	// E is the largest e-value so far for the answer; while undecided, for
	// faster or slower, whichever is larger. One over it bounds the
	// probability of seeing so much without there being anything.
	E float64
	// NoiseSD is 1.4826 times the median absolute deviation of the log ratios: the
	// standard deviation of one unit without its tails. 0 for fewer than two.
	NoiseSD float64
	// Done says that the sequence has its answer or its last unit.
	Done bool
	// Drifted says that no single change fits all units: the first and the
	// later ones exclude each other's. Lo and Hi then span both, at no stated
	// confidence. The effect moved during the run (a machine that throttles
	// only one side, caches that warm up, two files that are not equally placed).
	Drifted bool
}

// MaxHi is what Finite puts for an upper end that is not known.
const MaxHi = 1e6

// Finite returns Lo and Hi with Hi cut to MaxHi, a million times slower, for
// formats such as JSON that know no infinity.
func (d Decision) Finite() (lo, hi float64) { return d.Lo, min(d.Hi, MaxHi) }

// Bounded reports whether both ends of the interval are known.
func (d Decision) Bounded() bool { return d.Lo > -1 && d.Hi <= MaxHi }

// Decision returns what can be said after the units so far.
func (s *Sequence) Decision() Decision {
	if s.last != nil {
		return *s.last
	}
	d := Decision{
		Answer: s.answer,
		Units:  len(s.units),
		E:      s.evidence(),
		Done:   s.answer != Undecided || len(s.units) >= s.rules.MaxUnits,
		Lo:     -1,
		Hi:     math.Inf(1),
	}
	if len(s.units) > 0 {
		d.NoiseSD = madSD(s.sorted)
		d.Lo, d.Hi, d.Drifted = s.interval()
		estimate := shrunk(location(s.sorted), standardError(d.NoiseSD, d.Units))
		d.Estimate = max(d.Lo, min(d.Hi, math.Expm1(estimate)))
	}
	s.last = &d
	return d
}

// interval returns the confidence interval as relative changes.
func (s *Sequence) interval() (lo, hi float64, drifted bool) {
	t := s.rules.claim()
	lo = lowerEnd(s.units, s.sorted, t, s.probe)
	hi = upperEnd(s.units, s.sorted, t, s.probe)
	if lo > hi {
		return math.Expm1(hi), math.Expm1(lo), true
	}
	// The sets behind the ends only ever shrink, but the probes that find them
	// move with the data: what was excluded stays so.
	switch s.answer {
	case Faster:
		hi = min(hi, 0)
	case Slower:
		lo = max(lo, 0)
	}
	return math.Expm1(lo), math.Expm1(hi), false
}

// evidence returns the e-value that goes with the answer.
func (s *Sequence) evidence() float64 {
	switch s.answer {
	case Faster:
		return s.zero.top[below]
	case Slower:
		return s.zero.top[above]
	case NoEffect:
		return s.futility()
	}
	return max(s.zero.top[below], s.zero.top[above])
}

// EvidenceBelow returns the largest e-value so far for “the true change is
// less than this one”, a relative change greater than −1. EvidenceBelow(0) is
// the evidence for faster, EvidenceBelow(0.03) the evidence that there is no
// slowdown of 3 % or more. The change must not be chosen by the data.
func (s *Sequence) EvidenceBelow(change float64) float64 { return s.evidenceAt(change, below) }

// EvidenceAbove returns the largest e-value so far for “the true change is
// greater than this one”. EvidenceAbove(0) is the evidence for slower.
func (s *Sequence) EvidenceAbove(change float64) float64 { return s.evidenceAt(change, above) }

func (s *Sequence) evidenceAt(change float64, sd side) float64 {
	at := math.Log1p(change)
	if math.IsNaN(at) || math.IsInf(at, 0) {
		panic(fmt.Sprintf("judge: %v is not a relative change", change))
	}
	s.probe.reset(at)
	for _, d := range s.units {
		s.probe.add(d)
	}
	return s.probe.top[sd]
}

// ExcludesSlowdown reports whether a slowdown by the fraction x or more has
// been excluded at error rate beta: whether EvidenceBelow(x) has reached
// 1/beta. It is the question to ask about a change that is wanted for another
// reason than time, and may be asked after any unit, also of a sequence that
// is done. It panics on x ≤ −1 and on a beta outside (0, 1).
func (s *Sequence) ExcludesSlowdown(x, beta float64) bool {
	if !inUnit(beta) {
		panic(fmt.Sprintf("judge: beta %v is not between 0 and 1", beta))
	}
	return s.EvidenceBelow(x) >= 1/beta
}
