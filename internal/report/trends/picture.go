package trends

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/page"
)

// The size of a picture in its own units, and what is left free around the dots.
const (
	width  = 640.0
	height = 110.0
	margin = 8.0
)

// A picture is the points of a series as dots, and its levels as lines.
type picture struct {
	Label, Dots, Levels string
	Shifts              []string // where there are lines down
	Least, Most         string   // values at the lower and the upper end
}

func draw(s model.TrendSeries) *picture {
	least, most := s.Points[0].Value, s.Points[0].Value
	for _, p := range s.Points {
		least, most = min(least, p.Value), max(most, p.Value)
	}
	x := func(i float64) string {
		return page.Decimal(margin + (width-2*margin)*(i+0.5)/float64(len(s.Points)))
	}
	y := func(v float64) string {
		if most == least {
			return page.Decimal(height / 2)
		}
		return page.Decimal(height - margin - (height-2*margin)*(v-least)/(most-least))
	}
	p := &picture{Least: value(s.Metric, least), Most: value(s.Metric, most)}
	var dots, levels strings.Builder
	for i, point := range s.Points {
		fmt.Fprintf(&dots, "M%s %sh0", x(float64(i)), y(point.Value))
	}
	for i, h := range s.Shifts {
		if i == 0 {
			fmt.Fprintf(&levels, "M%s %s", x(0), y(h.Before))
		}
		at := x(float64(h.At) - 0.5)
		fmt.Fprintf(&levels, "H%sV%s", at, y(h.After))
		p.Shifts = append(p.Shifts, at)
	}
	if len(s.Shifts) > 0 {
		fmt.Fprintf(&levels, "H%s", x(float64(len(s.Points)-1)))
	}
	p.Dots, p.Levels = dots.String(), levels.String()
	p.Label = fmt.Sprintf("%s of %s over %d points, from %s to %s, shifts: %d", s.Metric, s.Benchmark, len(s.Points), p.Least, p.Most, len(s.Shifts))
	return p
}
