package plot

import (
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
)

// A Scale is the axis of relative change that all intervals of a page are
// drawn on, so that they can be compared by eye. Its ends are in fractions.
type Scale struct {
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

// ScaleOf finds an axis that holds zero and the intervals of all verdicts.
func ScaleOf(verdicts []model.Verdict) Scale {
	lo, hi := -0.01, 0.01
	for _, v := range verdicts {
		for _, x := range []float64{v.Lo, v.Change, v.Hi} {
			if x > -1 && x < figure.Boundless { // others are ends that are not known, or no figures
				lo, hi = math.Min(lo, math.Max(x, -widest)), math.Max(hi, math.Min(x, widest))
			}
		}
	}
	// Some air, so that nothing that has an end seems to run off the axis.
	air := 0.04 * (hi - lo)
	s := Scale{Lo: lo - air, Hi: hi + air}
	step := stepFor(hi - lo)
	for k := math.Ceil(s.Lo / step); k <= math.Floor(s.Hi/step); k++ {
		t := tick{X: page.Decimal(s.x(k * step)), Text: figure.Ratio(k * step)}
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

func (s Scale) x(change float64) float64 {
	change = math.Min(s.Hi, math.Max(s.Lo, change))
	return frame + (pictureWidth-2*frame)*(change-s.Lo)/(s.Hi-s.Lo)
}

// A Picture is one interval: the zero line, the interval, the estimate.
type Picture struct {
	Width, Zero, Lo, Hi, At string
	Below, Above            bool   // the interval goes on beyond the axis on this side, or its end is not known
	Open                    string // where its words stand if neither end is known: it has no bar then
	Label                   string // the same in words, for who cannot see it
	Clear                   bool   // the verdict is faster: drawn in the accent colour
	Slower                  bool   // the verdict is slower
}

// Draw draws the interval of a verdict on the scale.
func (s Scale) Draw(v model.Verdict) *Picture {
	if math.IsNaN(v.Change) {
		return nil
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	if v.Lo > -1 {
		lo = v.Lo
	}
	if v.Hi < figure.Boundless {
		hi = v.Hi
	}
	p := &Picture{
		Width: page.Decimal(pictureWidth), Zero: page.Decimal(s.x(0)), Lo: page.Decimal(s.x(lo)), Hi: page.Decimal(s.x(hi)), At: page.Decimal(s.x(v.Change)),
		Below: lo < s.Lo, Above: hi > s.Hi,
		Label: figure.Metric(v.Metric) + " " + figure.Change(v.Change) + ", interval " + figure.Bounds(v),
		Clear: v.Answer == model.Faster, Slower: v.Answer == model.Slower,
	}
	if math.IsInf(lo, -1) && math.IsInf(hi, 1) {
		p.Open = page.Decimal(s.room(v.Change))
	}
	return p
}

// room returns the middle of the widest stretch that is free of the zero line
// and the mark of a change.
func (s Scale) room(change float64) float64 {
	xs := []float64{0, s.x(0), s.x(change), pictureWidth}
	slices.Sort(xs)
	middle, widest := 0.0, -1.0
	for i, x := range xs[1:] {
		if x-xs[i] > widest {
			middle, widest = (x+xs[i])/2, x-xs[i]
		}
	}
	return middle
}
