package trial

import (
	"math"

	"github.com/pawl-dev/pawl/internal/model"
)

// FarApart is how many times as long the candidate may take before the slices
// should get fewer iterations: a candidate that takes ten times as long needs
// no precision, and ten times the budget otherwise.
const FarApart = 2

// Slowness returns how many times as long the candidate took as the base in
// the pairs, which are of base and candidate; 1 without any.
func Slowness(p model.Plan, pairs [][2]model.Sample) float64 {
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
