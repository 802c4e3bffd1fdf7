package judge

import (
	"fmt"
	"math"
)

// A course is a fitted formula for how many units it takes until wealth
// reaches t, when the true effect is r standard deviations of one unit:
//
//	n = (ln t + c) · ((a/r²)^p + b^p)^(1/p)
//
// Both ends of it are theory. A small effect earns about r²/2 of log wealth per
// unit, so n grows as ln t/r²; a large one cannot earn more than ln 2 per unit,
// so n levels off. c is the price of not knowing the best of the six stakes
// beforehand. The four numbers are a least-squares fit, in the log of n, to
// simulated sequences of normal noise. There were 13 effects from 0.1 to 6
// standard deviations, 5 thresholds from 20 to 4000, 3000 sequences each (500
// below 0.2). TestTableCourse repeats the simulation.
type course struct{ a, b, c, p float64 }

var (
	// meanCourse gives the mean number of units; off by 6 % at most.
	meanCourse = course{2.25, 1.58, 0.78, 1.23}
	// mostCourse gives the number that nine sequences in ten need at most; off
	// by 11 % at most.
	mostCourse = course{3.29, 1.25, 2.02, 1.10}
)

// maxRatio is the effect, in standard deviations, above which sequences end
// at the first unit at which they can.
const maxRatio = 6

// race is the exponent that joins the expected times of two answers into that
// of the first of them: 2^(−1/race) is 0.56.
const race = 1.2

// units returns n for an effect of r standard deviations.
func (c course) units(r, t float64) float64 {
	r = min(r, maxRatio)
	return (math.Log(t) + c.c) * math.Pow(math.Pow(c.a/(r*r), c.p)+math.Pow(c.b, c.p), 1/c.p)
}

// ratio returns the effect, in standard deviations, that takes n units.
func (c course) ratio(n, t float64) float64 {
	rest := math.Pow(n/(math.Log(t)+c.c), c.p) - math.Pow(c.b, c.p)
	if rest <= 0 {
		return maxRatio
	}
	return min(maxRatio, math.Sqrt(c.a/math.Pow(rest, 1/c.p)))
}

// Sees returns the smallest effect, as a fraction, that the rules find in nine
// sequences out of ten within so many units. The log ratio of one unit has
// standard deviation sd, which Decision.NoiseSD of base against base estimates.
// The effect is an improvement under Adopt, a slowdown under Regress, never
// less than MinEffect, since smaller ones end as “no worthwhile effect”, and
// +Inf when the units cannot suffice for any effect.
//
// At MinEffect itself “no worthwhile effect” takes up to Beta of the sequences,
// which leaves 85 % and more. Tails heavier than normal cost units, because sd
// is robust and does not show them. The effect is then found in three sequences
// out of four under t₃ noise, and in about half of them when every tenth
// measurement has ten times the noise.
//
// It panics on rules that do not validate and on a negative or NaN sd.
func Sees(sd float64, rules Rules, units int) float64 {
	mustPlan(sd, rules)
	if units < rules.MinUnits() {
		return math.Inf(1)
	}
	found := sd * mostCourse.ratio(float64(units), rules.claim())
	if rules.Kind == Adopt {
		found = -math.Expm1(-found)
	} else {
		found = math.Expm1(found)
	}
	return max(found, rules.MinEffect)
}

// UnitsFor returns the number of units after which a sequence is expected to
// have an answer. One unit has standard deviation sd, and effect is the true
// effect as a fraction: an improvement under Adopt, a change in either
// direction under Regress. With effect 0 it is the price of a change that does
// nothing. It is at least MinUnits and at most MaxUnits, and panics like Sees,
// or on an effect that is not within [0, 1).
func UnitsFor(sd, effect float64, rules Rules) int {
	mustPlan(sd, rules)
	if !(effect >= 0 && effect < 1) {
		panic(fmt.Sprintf("judge: effect %v is not a fraction from 0 to below 1", effect))
	}
	if sd == 0 {
		return min(rules.MinUnits(), rules.MaxUnits)
	}
	mean := func(distance, t float64) float64 {
		if distance <= 0 {
			return math.Inf(1)
		}
		return meanCourse.units(distance/sd, t)
	}
	claim := mean(effect, rules.claim())
	near, far := rules.MinEffect-effect, rules.MinEffect+effect
	none := mean(near, rules.exclusion())
	if rules.Kind == Regress && near > 0 {
		// The later of two exclusions: at no effect, where both are equally
		// far, simulation has it at 1.4 times the mean of either.
		none *= 1 + 0.4*(near/far)*(near/far)
	}
	// Both run at the same time and the first ends the sequence. Where they
	// are equally likely that takes 0.55 of either's time.
	n := math.Pow(math.Pow(claim, -race)+math.Pow(none, -race), -1/race)
	n = math.Ceil(min(n, float64(rules.MaxUnits)))
	return min(max(int(n), rules.MinUnits()), rules.MaxUnits)
}

func mustPlan(sd float64, rules Rules) {
	if err := rules.Validate(); err != nil {
		panic("judge: " + err.Error())
	}
	if !(sd >= 0) {
		panic(fmt.Sprintf("judge: %v is not a standard deviation", sd))
	}
}
