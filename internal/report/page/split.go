package page

import (
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Part is one stretch of the bar that shows where the time went.
type Part struct {
	Name, Time, Share string
	X, Width          string
	Tone              int
}

// Parts returns the bar that shows where the time went, and the whole time.
func Parts(sp model.Split) ([]Part, string) {
	if sp.Total <= 0 || words.Unbounded(sp.Total+sp.Build+sp.Test+sp.Measure+sp.Other) {
		return nil, ""
	}
	var out []Part
	x := 0.0
	for i, p := range figure.Split(sp) {
		if p.Seconds <= 0 {
			continue
		}
		w := 100 * p.Seconds / sp.Total
		out = append(out, Part{Name: p.Name, Time: words.Seconds(p.Seconds), Share: figure.Share(p.Seconds / sp.Total), X: Decimal(x), Width: Decimal(w), Tone: i})
		x += w
	}
	return out, words.Seconds(sp.Total)
}
