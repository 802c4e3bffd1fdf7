package trial

import (
	"math"

	"github.com/pawl-dev/pawl/internal/model"
)

// farApart is how many times as long the candidate may take before the slices
// get fewer iterations: a candidate that takes ten times as long needs no
// precision, and ten times the budget otherwise.
const farApart = 2

// fit returns the plan with as many iterations as a candidate allows that took
// far longer than the base in prior, pairs of base and candidate, so that a pair
// takes as long as two slices of the base; and what of prior has the plan's
// iterations: all of it or nothing.
func fit(p model.Plan, prior [][2]model.Sample) (model.Plan, [][2]model.Sample) {
	slow := slowness(p, prior)
	if slow <= farApart {
		return p, prior
	}
	p.N = max(2, int64(float64(p.N)*2/(1+slow)))
	p.SliceNs *= 2 / (1 + slow)
	return p, nil
}

// slowness returns how many times as long the candidate took as the base in
// the pairs, which are of base and candidate; 1 without any.
func slowness(p model.Plan, pairs [][2]model.Sample) float64 {
	var base, cand float64
	for _, pair := range pairs {
		if p.Mode == model.Alternate {
			base, cand = base+pair[0].WallNs, cand+pair[1].WallNs
		} else {
			base, cand = base+pair[0].CPUNs, cand+pair[1].CPUNs
		}
	}
	if base <= 0 {
		return 1
	}
	return cand / base
}

// OfCandidate returns the plan of a candidate whose op takes 1+change times what
// the base's takes, for runs of the candidate alone, such as profiles.
func OfCandidate(p model.Plan, change float64) model.Plan {
	if change > -1 && !math.IsInf(change, 1) {
		p.SliceNs += change * max(p.SliceNs-p.TimedNs, 0)
	}
	return p
}
