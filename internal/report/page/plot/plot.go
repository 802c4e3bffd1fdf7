package plot

import (
	"embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/words"
)

// The two pictures of a verdict stand side by side and have one axis of
// change, upwards, so that they can be read across: the units, and the interval
// as it narrowed. On a narrow screen they stand one below the other.
const (
	plotWidth  = 380.0
	plotHeight = 212.0
	plotTop    = 12.0
	plotBottom = 190.0 // what counts units is below
	plotLeft   = 46.0  // the figures of the axis are before it
	plotRight  = 308.0 // what names the lines is behind it
	pileRight  = 240.0 // the same of the units, which need less room
	plotPad    = 5.0   // of dots and bands, within these
)

//go:embed plot.html
var Files embed.FS

// An Evidence is the two pictures with what they have in common.
type Evidence struct {
	Ticks  []tick  // Text, and X as the height
	Rules  []guide // lines across both
	Tone   string  // "faster", "slower" or "" as the judge answered
	Units  string  // "24 duets"
	Dots   string  // path
	Size   string  // diameter of a dot
	Spread string  // in words
	Away   string  // how many dots are beyond the ends of the axis

	Band, Line, Seen string // paths: the interval, the estimate, the units in their order
	SeenSize         string
	Narrowing        string // in words
}

// A guide is a line across the picture with its name at its end.
type guide struct {
	Kind    string // "zero", "least", "at"
	Y, Text string
	Label   string // height of the name, which may have to make room
	y       float64
}

// NewEvidence draws how a verdict came about; nil where that was not recorded.
// Least is the smallest change that counts, with its sign; 0 where there is none.
func NewEvidence(v model.Verdict, least float64) *Evidence {
	c := v.Course
	if c == nil || len(c.Ratios) < 2 || words.Unbounded(v.Change) || slices.ContainsFunc(c.Ratios, func(x float64) bool { return words.Unbounded(x) || x <= 0 }) {
		return nil
	}
	p := plotOf(v, least)
	e := &Evidence{Units: figure.Units(v), Rules: p.guides(v, least), Ticks: p.ticks()}
	switch v.Answer {
	case model.Faster:
		e.Tone = "faster"
	case model.Slower:
		e.Tone = "slower"
	}
	changes := make([]float64, len(c.Ratios))
	for i, r := range c.Ratios {
		changes[i] = r - 1
	}
	e.Dots, e.Size = p.pile(changes)
	e.Spread, e.Away = spread(v, changes), p.away(changes)
	e.Band, e.Line = p.band(c.Steps, v.Units)
	e.Seen, e.SeenSize = p.sequence(changes), page.Decimal(math.Max(1.6, math.Min(4, 360/float64(len(changes)))))
	e.Narrowing = narrowing(v)
	return e
}

// A plot is an axis of relative change.
type plot struct{ lo, hi float64 }

// plotOf finds an axis that holds zero, the interval and the units, but those
// that are far away from all others.
func plotOf(v model.Verdict, least float64) plot {
	s := slices.Clone(v.Course.Ratios)
	slices.Sort(s)
	q := func(part float64) float64 { return s[int(part*float64(len(s)-1))] - 1 }
	reach := 3 * (q(0.9) - q(0.1))
	p := plot{lo: math.Max(q(0), q(0.1)-reach), hi: math.Min(q(1), q(0.9)+reach)}
	hold := func(x float64) {
		if !words.Unbounded(x) && math.Abs(x) <= widest {
			p.lo, p.hi = math.Min(p.lo, x), math.Max(p.hi, x)
		}
	}
	hold(0)
	hold(v.Change)
	if v.Lo > -1 {
		hold(v.Lo)
	}
	hold(v.Hi)
	if span := p.hi - p.lo; math.Abs(least) < 2*span {
		hold(least)
	}
	if p.hi-p.lo < 0.01 {
		p.lo, p.hi = p.lo-0.005, p.hi+0.005
	}
	air := 0.05 * (p.hi - p.lo)
	return plot{p.lo - air, p.hi + air}
}

func (p plot) y(change float64) float64 {
	change = math.Min(p.hi, math.Max(p.lo, change))
	return plotBottom - (plotBottom-plotTop)*(change-p.lo)/(p.hi-p.lo)
}

func (p plot) ticks() []tick {
	var out []tick
	step := stepFor(p.hi - p.lo)
	for k := math.Ceil(p.lo / step); k <= math.Floor(p.hi/step); k++ {
		t := tick{X: page.Decimal(p.y(k * step)), Text: figure.Ratio(k * step)}
		if k == 0 {
			t.Text = "0"
		}
		out = append(out, t)
	}
	return out
}

// guides are the lines across: no change, what counts, and the estimate. Their
// names keep a line's height apart, the estimate's in its place.
func (p plot) guides(v model.Verdict, least float64) []guide {
	at := guide{Kind: "at", Text: figure.Change(v.Change), y: p.y(v.Change)}
	out := []guide{{Kind: "zero", Text: "no change", y: p.y(0)}}
	if least != 0 && p.lo <= least && least <= p.hi && math.Abs(p.y(least)-p.y(0)) >= 5 { // else it is the same line
		out = append(out, guide{Kind: "least", Text: signOf(least) + figure.Chosen(math.Abs(least)) + " counts", y: p.y(least)})
	}
	const apart = 13
	taken := []float64{at.y}
	for i := range out {
		y := out[i].y
		for _, t := range taken {
			if math.Abs(y-t) >= apart {
				continue
			}
			if y = t - apart; out[i].y > t || y < 0 {
				y = t + apart
			}
		}
		taken = append(taken, y)
		out[i].Label = page.Decimal(y + 4)
	}
	at.Label = page.Decimal(at.y + 4)
	out = append(out, at)
	for i := range out {
		out[i].Y = page.Decimal(out[i].y)
	}
	return out
}

func signOf(x float64) string {
	if x < 0 {
		return figure.Minus
	}
	return "+"
}

// pile stacks a dot for each unit, at the height of its change, and returns
// the path and the size of the dots: as large as leaves the longest row room.
func (p plot) pile(changes []float64) (path, size string) {
	for _, d := range []float64{9, 7, 5.5, 4.5, 3.5, 2.5, 1.8, 1.2} {
		rows := make(map[int]int)
		var b strings.Builder
		longest := 0
		for _, c := range changes {
			row := int(math.Round(p.y(c) / d))
			n := rows[row]
			rows[row]++
			longest = max(longest, n+1)
			fmt.Fprintf(&b, "M%s %sh0", Tenth(plotLeft+plotPad+d*(float64(n)+0.5)), Tenth(float64(row)*d))
		}
		path, size = b.String(), page.Decimal(d-0.8)
		if float64(longest)*d <= pileRight-plotLeft-2*plotPad {
			break
		}
	}
	return path, size
}

// sequence places a dot for each unit in the order in which they were measured.
func (p plot) sequence(changes []float64) string {
	var b strings.Builder
	for i, c := range changes {
		fmt.Fprintf(&b, "M%s %sh0", Tenth(unitX(i+1, len(changes))), Tenth(p.y(c)))
	}
	return b.String()
}

// band draws the estimate over the units, and the interval around it from when
// it had two ends.
func (p plot) band(steps []model.CourseStep, of int) (area, line string) {
	var upper, lower, at []string
	for _, s := range steps {
		if words.Unbounded(s.Lo) || words.Unbounded(s.Hi) || words.Unbounded(s.Change) {
			continue
		}
		x := Tenth(unitX(s.Units, of)) + " "
		at = append(at, x+Tenth(p.y(s.Change)))
		if s.Lo > -1 && s.Hi < figure.Boundless {
			upper = append(upper, x+Tenth(p.y(s.Hi)))
			lower = append(lower, x+Tenth(p.y(s.Lo)))
		}
	}
	if len(upper) > 0 {
		slices.Reverse(lower)
		area = "M" + strings.Join(append(upper, lower...), "L") + "Z"
	}
	if len(at) > 0 {
		line = "M" + strings.Join(at, "L")
	}
	return area, line
}

// unitX is where unit n of so many stands.
func unitX(n, of int) float64 {
	return plotLeft + plotPad + (plotRight-plotLeft-2*plotPad)*float64(n-1)/float64(max(1, of-1))
}

// away says how many units lie beyond the ends of the axis.
func (p plot) away(changes []float64) string {
	n := 0
	for _, c := range changes {
		if c < p.lo || c > p.hi {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d beyond the ends", n)
}

// spread says what the dots show.
func spread(v model.Verdict, changes []float64) string {
	return fmt.Sprintf("%s, each candidate against base: from %s to %s, estimate %s",
		figure.Units(v), figure.Change(slices.Min(changes)), figure.Change(slices.Max(changes)), figure.Change(v.Change))
}

// narrowing says what the band shows, at a few of its steps.
func narrowing(v model.Verdict) string {
	steps := v.Course.Steps
	var parts []string
	for i, s := range steps {
		if i != len(steps)/2 && i != len(steps)-1 {
			continue
		}
		w := v
		w.Lo, w.Hi, w.Units = s.Lo, s.Hi, s.Units
		parts = append(parts, fmt.Sprintf("after %s %s, %s", figure.Units(w), figure.Change(s.Change), figure.Bounds(w)))
	}
	return "the " + figure.Share(v.Level) + " interval " + strings.Join(parts, "; ")
}

// Tenth writes a coordinate of a picture with many of them.
func Tenth(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }
