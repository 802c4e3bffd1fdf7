package judge

import (
	"fmt"
	"math"
)

// AlphaAt returns what the t-th of an unknown number of tests, t from 1, may
// spend of alpha: alpha·6/(π²t²). Since Σ 1/t² = π²/6 the whole series spends
// alpha (alpha spending; Foster and Stine 2008). So the probability that a
// search ever claims something wrong is at most alpha. That holds however many
// changes it tries, and whatever it tries next because of earlier answers.
// Evidence needed grows slowly: the tenth test needs 164 times the e-value,
// which at a large effect is 8 units more.
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
