package judge

import (
	"errors"
	"fmt"
	"math"
)

// A RuleSet says what a comparison is for, and with that which answer must
// never be pre-empted by another.
type RuleSet string

const (
	// Adopt is for a change that somebody wants to make: the question is whether
	// it is worth having. Anything short of a worthwhile gain ends the sequence as
	// soon as it is clear, so a slowdown ends as "slower" only when it is large,
	// and mostly as "no worthwhile effect". That is the cheaper answer to the
	// question that was asked.
	Adopt RuleSet = "adopt"
	// Regress is for a change that somebody has already made: the question is
	// what it did. Both directions matter, and "no worthwhile effect" is
	// answered only when an effect of MinEffect is excluded on both sides.
	Regress RuleSet = "regress"
)

// Rules are what a Sequence decides by. They must be fixed before the first
// unit is looked at: the error guarantees are for rules that do not follow
// the data.
type Rules struct {
	Kind RuleSet
	// Alpha is the two-sided error rate: the probability that a sequence with
	// no effect ever answers faster or slower, and one minus the confidence of
	// the interval. Each direction gets Alpha/2.
	Alpha float64
	// Beta is the error rate of "no worthwhile effect": the probability of
	// that answer when the true effect is MinEffect or more.
	Beta float64
	// MinEffect is the smallest effect worth having or worth knowing of, as a
	// fraction: 0.01 is one per cent.
	MinEffect float64
	// MaxUnits is the number of units after which the sequence is done even if
	// nothing has been shown.
	MaxUnits int
}

// AdoptRules returns the defaults for judging a proposed change: Alpha 5 %
// for both directions together, Beta 5 %, gains from 1 %, at most 60 units.
// A search that judges many changes should spend its error over all of them
// (AlphaAt).
func AdoptRules() Rules {
	return Rules{Kind: Adopt, Alpha: 0.05, Beta: 0.05, MinEffect: 0.01, MaxUnits: 60}
}

// RegressRules returns the defaults for comparing two versions that exist:
// Alpha and Beta 5 %, effects from 2 %, at most 60 units.
//
// The smallest effect prices the usual case, two versions that are equally
// fast. At a noise of 2.5 % per unit they are called so after 24 units on
// average. From 1 % it would take more than 60 in three cases out of four, and
// find hardly more slowdowns of 2 % (see the table in the package comment). It
// is still below what the placement of code in a binary alone may do, about
// 3 %: a caller that cannot vary the placement has to say so.
func RegressRules() Rules {
	return Rules{Kind: Regress, Alpha: 0.05, Beta: 0.05, MinEffect: 0.02, MaxUnits: 60}
}

// Validate returns an error that names the first field that makes no sense.
func (r Rules) Validate() error {
	switch {
	case r.Kind != Adopt && r.Kind != Regress:
		return fmt.Errorf("rule set %q is neither %q nor %q", r.Kind, Adopt, Regress)
	case !inUnit(r.Alpha):
		return fmt.Errorf("alpha %v is not between 0 and 1", r.Alpha)
	case !inUnit(r.Beta):
		return fmt.Errorf("beta %v is not between 0 and 1", r.Beta)
	case !inUnit(r.MinEffect):
		return fmt.Errorf("smallest effect %v is not between 0 and 1, where 0.01 is one per cent", r.MinEffect)
	case r.MaxUnits < 1:
		return errors.New("no units are allowed: the maximum must be at least 1")
	}
	return nil
}

// Level returns the confidence of the interval of these rules, 1 − Alpha.
func (r Rules) Level() float64 { return 1 - r.Alpha }

// MinUnits returns the least number of units for an answer: those after which a
// clean sweep, all units pointing the same way, bounds the interval. At Alpha
// 5 % it is 8.
func (r Rules) MinUnits() int { return sweep(r.claim()) }

// claim returns what an e-value must reach for one direction to be claimed.
func (r Rules) claim() float64 { return 2 / r.Alpha }

// exclusion returns what an e-value must reach for an effect to be excluded.
func (r Rules) exclusion() float64 { return 1 / r.Beta }

// gain and loss return the log ratios of an improvement and of a slowdown by
// MinEffect.
func (r Rules) gain() float64 { return math.Log1p(-r.MinEffect) }
func (r Rules) loss() float64 { return math.Log1p(r.MinEffect) }

func inUnit(x float64) bool { return x > 0 && x < 1 } // false for NaN
