package judge

import (
	"math"
	"slices"
)

// resolution is how finely the ends of an interval are found, in log ratio:
// a ten-thousandth of a per cent.
const resolution = 1e-6

// lowerEnd returns the largest bound below which every log ratio has been
// excluded: the lower end of the hull of {θ : wealth above θ has always been
// less than t}, rounded outwards. It is −∞ while there are too few units to
// exclude anything.
//
// Wealth above θ falls as θ rises, but not strictly so, because the scale of
// the scores depends on θ too. The search therefore starts far away, where
// all is excluded, walks towards the data over a ladder of probes, and halves
// the gap before the first probe that is not excluded. At the largest unit
// nothing above can have been won, so there is such a probe. Zero is among
// the probes: what the end says about zero agrees with the process at zero.
// A value that is not excluded may hide between two probes that are; in
// simulation that moved an end by more than 0.1 % at one of 400,000 units.
func lowerEnd(units, sorted []float64, t float64, p *process) float64 {
	if len(units) < sweep(t) {
		return math.Inf(-1)
	}
	out := math.Inf(-1)
	for _, probe := range ladder(sorted) {
		if !p.reaches(probe, units, above, t) {
			return halve(out, probe, func(x float64) bool { return p.reaches(x, units, above, t) })
		}
		out = probe
	}
	return out
}

// upperEnd is lowerEnd seen in a mirror.
func upperEnd(units, sorted []float64, t float64, p *process) float64 {
	return -lowerEnd(mirror(units, false), mirror(sorted, true), t, p)
}

// mirror returns the values with their signs changed, and turned round if
// they are to stay ascending.
func mirror(a []float64, turn bool) []float64 {
	b := make([]float64, len(a))
	for i, x := range a {
		b[i] = -x
	}
	if turn {
		slices.Reverse(b)
	}
	return b
}

// ladder returns the probes, ascending. They start a million times the spread
// below the smallest value, in steps that shrink with the distance. Then they
// go along the values up to the largest, with the gaps between them divided.
// Sets with holes are most likely while there are few units; then the gaps are
// divided most finely, which is also when it costs least.
func ladder(sorted []float64) []float64 {
	const (
		rungs  = 48  // values that are probes, at most about
		parts  = 128 // parts that all gaps together are divided into, at least
		shrink = 0.8
	)
	n := len(sorted)
	first, last := sorted[0], sorted[n-1]
	spread := max(last-first, 100*resolution)
	probes := make([]float64, 0, 2*parts)
	for far := 1e6 * spread; far > spread/100; far *= shrink {
		probes = append(probes, first-far)
	}
	step := (n + rungs - 1) / rungs
	divide := max(2, parts*step/n)
	for i := 0; i < n-1; i += step {
		gap := sorted[min(i+step, n-1)] - sorted[i]
		for k := range divide {
			probes = append(probes, sorted[i]+gap*float64(k)/float64(divide))
		}
	}
	probes = append(probes, last)
	if i, found := slices.BinarySearch(probes, 0); !found && i < len(probes) {
		probes = slices.Insert(probes, i, 0)
	}
	return probes
}

// halve narrows the gap between out, which is excluded (or −∞, when even the
// farthest probe is not), and in, which is not, and returns its outer edge.
func halve(out, in float64, excluded func(float64) bool) float64 {
	for in-out > resolution && !math.IsInf(out, 0) {
		mid := out + (in-out)/2
		if mid <= out || mid >= in {
			break
		}
		if excluded(mid) {
			out = mid
		} else {
			in = mid
		}
	}
	return out
}
