package judge

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Bonferroni reports which of several claims hold together at error rate
// alpha: those whose e-value reaches m/alpha, where m is the number of claims.
// The probability that any claim is wrongly said to hold is at most alpha,
// however the claims depend on each other.
//
// The e-values may be the largest of a sequence so far (EvidenceAbove,
// EvidenceBelow): by Ville's inequality one over such a supremum is a p-value,
// and Bonferroni and Holm ask for no more than that. Averages of e-values and
// e-BH do ask for more and must not be fed with suprema. For claims in both
// directions, pass both e-values of each benchmark and the two-sided rate.
func Bonferroni(es []float64, alpha float64) []bool {
	mustRate(alpha)
	holds := make([]bool, len(es))
	for i, e := range es {
		holds[i] = e >= float64(len(es))/alpha
	}
	return holds
}

// Holm is Bonferroni made sharper at no cost (Holm 1979): the largest e-value
// must reach m/alpha, the next (m−1)/alpha, and so on to 1/alpha; the first
// that falls short ends it. It guarantees the same. Watched over time it is
// still valid, and a claim that holds goes on holding, since the e-values are
// suprema and only grow.
func Holm(es []float64, alpha float64) []bool {
	mustRate(alpha)
	order := make([]int, len(es))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(es[b], es[a]) })
	holds := make([]bool, len(es))
	for rank, i := range order {
		if !(es[i] >= float64(len(es)-rank)/alpha) {
			break
		}
		holds[i] = true
	}
	return holds
}

// AlphaAt returns what the t-th of an unknown number of tests, t from 1, may
// spend of alpha: alpha·6/(π²t²). Since Σ 1/t² = π²/6 the whole series
// spends alpha, so the probability that a search ever claims something wrong is
// at most alpha, however many changes it tries and whatever it tries next
// because of earlier answers (alpha spending; Foster and Stine 2008). Evidence needed grows
// slowly: the tenth test needs 164 times the e-value, which at a large effect
// is 8 units more.
func AlphaAt(alpha float64, t int) float64 {
	mustRate(alpha)
	if t < 1 {
		panic(fmt.Sprintf("judge: test number %d: tests count from 1", t))
	}
	return alpha * 6 / (math.Pi * math.Pi * float64(t) * float64(t))
}

func mustRate(alpha float64) {
	if !inUnit(alpha) {
		panic(fmt.Sprintf("judge: alpha %v is not between 0 and 1", alpha))
	}
}
