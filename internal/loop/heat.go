package loop

import (
	"fmt"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/profile"
)

// Heat returns what each line costs in the benchmarks that were profiled: the
// largest share in any of them.
func (s *Session) Heat() ([]model.LineCost, error) {
	type line struct {
		pkg, file, resource string
		n                   int
	}
	most := map[line]model.LineCost{}
	for bm, c := range s.orig.costs {
		for _, p := range []*profile.Profile{c.cpuProfile, c.memProfile} {
			if p == nil {
				continue
			}
			costs, err := p.Lines()
			if err != nil {
				return nil, fmt.Errorf("the profile of %s: %w", bm.Name, err)
			}
			for _, c := range costs {
				k := line{c.Pkg, c.File, c.Resource, c.Line}
				if c.Share > most[k].Share {
					most[k] = c
				}
			}
		}
	}
	out := make([]model.LineCost, 0, len(most))
	for _, c := range most {
		out = append(out, c)
	}
	return out, nil
}
