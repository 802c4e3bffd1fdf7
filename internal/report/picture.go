package report

import (
	"math"

	"github.com/pawl-dev/pawl/internal/model"
)

// A scale is the axis of relative change that all intervals of a page are
// drawn on, so that they can be compared by eye. Its ends are in fractions.
type scale struct {
	Lo, Hi float64
	Ticks  []tick
}

// A tick is a figure on the axis.
type tick struct {
	X    string
	Text string
}

// pictureWidth is the width of a picture in its own units; its frame keeps dots
// at the ends whole.
const (
	pictureWidth = 240.0
	frame        = 6.0
	// widest is the largest change with a place on the axis. What lies beyond
	// runs off its end.
	widest = 1.0
)

// scaleOf finds an axis that holds zero and the intervals of all verdicts.
func scaleOf(verdicts []model.Verdict) scale {
	lo, hi := -0.01, 0.01
	for _, v := range verdicts {
		for _, x := range []float64{v.Lo, v.Change, v.Hi} {
			if x > -1 && x < boundless { // others are ends that are not known, or no figures
				lo, hi = math.Min(lo, math.Max(x, -widest)), math.Max(hi, math.Min(x, widest))
			}
		}
	}
	// Some air, so that nothing that has an end seems to run off the axis.
	air := 0.04 * (hi - lo)
	s := scale{Lo: lo - air, Hi: hi + air}
	step := stepFor(hi - lo)
	for k := math.Ceil(s.Lo / step); k <= math.Floor(s.Hi/step); k++ {
		t := tick{X: decimal(s.x(k * step)), Text: ratio(k * step)}
		if k == 0 {
			t.Text = "0"
		}
		s.Ticks = append(s.Ticks, t)
	}
	return s
}

// stepFor returns a round distance that makes between two and five steps: more
// have no room for their figures.
func stepFor(span float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(span)))
	for _, m := range []float64{0.25, 0.5, 1} {
		if span/(p*m) <= 4 {
			return p * m
		}
	}
	return 2 * p
}

func (s scale) x(change float64) float64 {
	change = math.Min(s.Hi, math.Max(s.Lo, change))
	return frame + (pictureWidth-2*frame)*(change-s.Lo)/(s.Hi-s.Lo)
}

// A picture is one interval: the zero line, the interval, the estimate.
type picture struct {
	Width, Zero, Lo, Hi, At string
	Label                   string // the same in words, for who cannot see it
	Clear                   bool   // the verdict is faster: drawn in the accent colour
	Slower                  bool   // the verdict is slower
}

func (s scale) draw(v model.Verdict) *picture {
	lo, hi := v.Lo, v.Hi
	if math.IsNaN(lo) {
		lo = s.Lo
	}
	if math.IsNaN(hi) {
		hi = s.Hi
	}
	if math.IsNaN(v.Change) {
		return nil
	}
	return &picture{
		Width: decimal(pictureWidth), Zero: decimal(s.x(0)), Lo: decimal(s.x(lo)), Hi: decimal(s.x(hi)), At: decimal(s.x(v.Change)),
		Label: metricName(v.Metric) + " " + change(v.Change) + ", interval " + bounds(v),
		Clear: v.Answer == model.Faster, Slower: v.Answer == model.Slower,
	}
}
