package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

const (
	scalingPairs = 6    // their range holds the median in 97 of 100 cases
	scalingGoal  = 40e6 // ns of wall time of a process
)

// Scaling runs a benchmark with GOMAXPROCS=procs and GOMAXPROCS=1 in turn and
// compares the wall times per op. It takes about a second. Both are of
// processes that are not pinned; procs is what the user has, and more than 1.
func (s *Suite) Scaling(ctx context.Context, b *Binary, p model.Plan, procs int) (model.Scaling, error) {
	j := planned(b, p)
	j.n = atMost(p, scalingGoal/opNs(p), profileCap)
	var ratios []float64
	for i := range 2 * scalingPairs {
		// The order changes from pair to pair: a machine that warms up, or
		// slows down, would else favour one side.
		many := i%4 == 0 || i%4 == 3
		j.procs = 1
		if many {
			j.procs = procs
		}
		m, err := s.measure(ctx, j, p.SetupNs)
		if err != nil {
			return model.Scaling{}, fmt.Errorf("running with GOMAXPROCS=%d: %w", j.procs, err)
		}
		if i%2 == 0 {
			ratios = append(ratios, 1)
		}
		if many {
			ratios[i/2] *= max(m.wall, 1)
		} else {
			ratios[i/2] /= max(m.wall, 1)
		}
	}
	slices.Sort(ratios)
	return model.Scaling{
		Procs: procs, Pairs: scalingPairs, Lo: ratios[0], Hi: ratios[scalingPairs-1],
		Ratio: (ratios[scalingPairs/2-1] + ratios[scalingPairs/2]) / 2,
	}, nil
}
