package judge

import "math"

// scales are the sizes of changes that are expected, as standard deviations of
// log ratios: 1 %, 10 % and a factor of e, each as likely as the others. The
// smallest is what most changes to a program do to one benchmark: little. The
// others are so wide that a large effect, once it is clear, is left alone.
var scales = [...]float64{0.01, 0.1, 1}

// shrunk returns what to expect of the true log ratio when x was measured with
// standard error se: the posterior mean under a prior that mixes normals of the
// scales around zero. Each of them gives x·τ²/(τ²+se²), and counts by how well
// it predicts x. The result lies between 0 and x.
//
// An estimate is looked at because it is large, and a sequence ends because it
// is: both select luck. A posterior does not depend on why the sequence ended
// (Berger and Wolpert 1988). It makes up for any selection by size as far as
// its prior is right (Efron 2011, “Tweedie's formula and selection bias”).
// Mixtures of normal scales as a prior are those of Stephens (2017, “False
// discovery rates: a new deal”). Their weight goes to the wide ones as the
// evidence grows, so that 5 % at five standard errors stays 5 %.
func shrunk(x, se float64) float64 {
	widest := scales[len(scales)-1]
	least := x * x / (2 * (widest*widest + se*se)) // taken off all exponents, for they would underflow
	var sum, weights float64
	for _, tau := range scales {
		v := tau*tau + se*se
		w := math.Exp(least-x*x/(2*v)) / math.Sqrt(v)
		sum += w * tau * tau / v
		weights += w
	}
	return x * sum / weights
}

// standardError returns that of location, when one of n units has standard
// deviation sd. The median and the Hodges–Lehmann estimate have π/2 and π/3
// times the variance of the mean under normal noise.
func standardError(sd float64, n int) float64 {
	loss := math.Pi / 3
	if n < pairsFrom {
		loss = math.Pi / 2
	}
	return sd * math.Sqrt(loss/float64(n))
}
