package page

import (
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
)

// A Guard is a figure that must not get worse.
type Guard struct {
	Name, Before, After, Detail string
	Tripped                     bool
}

// Guards prepares guards for the page.
func Guards(guards []model.Guard) []Guard {
	var out []Guard
	for _, g := range guards {
		if g.Skipped != "" {
			out = append(out, Guard{Name: g.Name, Detail: "not measured: " + g.Skipped})
			continue
		}
		if g.Before == 0 && g.After == 0 { // no figure, or none to speak of
			out = append(out, Guard{Name: g.Name, Detail: g.Detail})
			continue
		}
		out = append(out, Guard{
			Name: g.Name, Before: figure.Guard(g.Unit, g.Before), After: figure.Guard(g.Unit, g.After), Detail: g.Detail, Tripped: g.Tripped,
		})
	}
	return out
}
