package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// A growthPart is what grew between profiles.
type growthPart struct {
	partHead
	Facts     string
	Suspects  []growthSuspect
	Others    []growthOther
	More      string // others that are not named
	Steady    string
	Allocated string
	Sites     []signCaller // that allocate most
	Remedy    remedy       // of all suspects
	Warnings  []model.Warning
	Flames    []flameView
}

// A growthSuspect is a site that may leak.
type growthSuspect struct {
	ID, Name, Place, Full string
	Change                string
	Curve                 *growthCurve
	Lines                 []string
}

// A growthOther is a site that changed and is no suspect.
type growthOther struct{ Change, Trend, Place, Name string }

func newGrowthPart(h partHead, g model.Growth) growthPart {
	p := growthPart{partHead: h, Facts: together(growthFacts(g)), Warnings: g.Warnings}
	times := growthTimes(g)
	for i, x := range g.Suspects {
		p.Suspects = append(p.Suspects, newGrowthSuspect(fmt.Sprintf("%s-suspect-%d", h.ID, i+1), g, x, times))
	}
	if len(g.Suspects) > 0 {
		p.Remedy = newRemedy(g.Rules, fact{"what", g.Meaning}, fact{"lever", g.Lever}, fact{"first", g.Before}, fact{"beware", g.Gap})
	}
	for _, x := range g.Others {
		p.Others = append(p.Others, growthOther{plus(g.Unit, x.Change), trendWord(g, x), spot(x.File, x.Line), growthName(x)})
	}
	if g.More > 0 {
		p.More = "and " + number(g.More, "other")
	}
	if g.Steady > 0 {
		p.Steady = steadyText(g)
	}
	if a := g.Allocated; a != nil && a.Bytes > 0 {
		p.Allocated = together(allocatedText(g))
		for _, x := range a.Sites[:min(allocatedSites, len(a.Sites))] {
			p.Sites = append(p.Sites, signCaller{Share: share(x.Bytes / a.Bytes), Place: spot(x.File, x.Line), Full: fullPlace(x.File, x.Line), Func: allocatedName(x)})
		}
	}
	return p
}

func newGrowthSuspect(id string, g model.Growth, x model.GrowthSite, times []float64) growthSuspect {
	s := growthSuspect{ID: id, Name: growthName(x), Place: spot(x.File, x.Line), Full: fullPlace(x.File, x.Line), Change: plus(g.Unit, x.Change)}
	lines := []string{growthChange(g, x)}
	if rate := growthRate(g, x); rate != "" {
		lines = append(lines, rate)
	}
	if len(x.Values) > 0 {
		lines = append(lines, growthPoints(g, x), growthShape(x))
		s.Curve = newGrowthCurve(g, x.Values, times)
	}
	for _, l := range lines {
		if l != "" {
			s.Lines = append(s.Lines, together(l))
		}
	}
	return s
}

// A growthCurve is the values of a site as a line over time, from zero on.
type growthCurve struct {
	Line, Area, Dots    string
	First, Last         string // values
	FirstX, FirstY      string
	LastX, LastY        string
	Begin, End          string // of the axis of time
	Words               string
	Left, Right, Bottom string
}

// The picture of a curve, in its own units: what is drawn, and around it room
// for labels.
const (
	curveLeft   = 60.0
	curveRight  = 256.0
	curveTop    = 10.0
	curveBottom = 92.0
	// curveDots is how many points have a dot of their own.
	curveDots = 40
)

// growthTimes is when the points were, in seconds; their numbers where nobody
// knows when.
func growthTimes(g model.Growth) []float64 {
	out := make([]float64, len(g.Points))
	for i, pt := range g.Points {
		out[i] = pt.Seconds
	}
	if n := len(out); g.Seconds <= 0 || n > 0 && out[n-1] <= out[0] {
		for i := range out {
			out[i] = float64(i)
		}
	}
	return out
}

func newGrowthCurve(g model.Growth, values, times []float64) *growthCurve {
	n := min(len(values), len(times))
	if n < 2 {
		return nil
	}
	top := 0.0
	for _, v := range values[:n] {
		top = math.Max(top, v)
	}
	if top <= 0 || open(top) {
		return nil
	}
	at := make([]string, n)
	var dots strings.Builder
	for i := range n {
		x := curveLeft + (curveRight-curveLeft)*(times[i]-times[0])/(times[n-1]-times[0])
		y := curveBottom - (curveBottom-curveTop)*math.Max(0, values[i])/top
		at[i] = tenth(x) + " " + tenth(y)
		if n <= curveDots {
			dots.WriteString("M" + at[i] + "h0")
		}
	}
	c := &growthCurve{
		Line: "M" + strings.Join(at, "L"), Dots: dots.String(), First: amountOf(g.Unit, values[0]), Last: amountOf(g.Unit, values[n-1]),
		Left: tenth(curveLeft), Right: tenth(curveRight), Bottom: tenth(curveBottom),
	}
	c.Area = fmt.Sprintf("%sL%s %sL%s %sZ", c.Line, c.Right, c.Bottom, c.Left, c.Bottom)
	c.FirstX, c.FirstY, _ = strings.Cut(at[0], " ")
	c.LastX, c.LastY, _ = strings.Cut(at[n-1], " ")
	c.Words = fmt.Sprintf("from %s to %s over %s", c.First, c.Last, number(n, "point"))
	c.Begin, c.End = "0", seconds(g.Seconds)
	if g.Seconds <= 0 {
		c.Begin, c.End = "first", "last"
	}
	return c
}
