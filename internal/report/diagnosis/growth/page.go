package growth

import (
	"embed"
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/page/flame"
	"github.com/pawl-dev/pawl/internal/report/page/plot"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed growth.html
var Files embed.FS

// A Part is what grew between profiles.
type Part struct {
	section.Head
	Facts     string
	Suspects  []suspectPart
	Others    []otherSite
	More      string // others that are not named
	Steady    string
	Allocated string
	Sites     []section.Caller // that allocate most
	Remedy    section.Remedy   // of all suspects
	Warnings  []model.Warning
	Flames    []flame.View
}

// A suspectPart is a site that may leak.
type suspectPart struct {
	ID, Name, Place, Full string
	Change                string
	Curve                 *curvePart
	Lines                 []string
}

// A otherSite is a site that changed and is no suspect.
type otherSite struct{ Change, Trend, Place, Name string }

// NewPart fills the part about what grew.
func NewPart(h section.Head, g model.Growth) Part {
	p := Part{Head: h, Facts: page.Together(facts(g)), Warnings: g.Warnings}
	times := timesOf(g)
	for i, x := range g.Suspects {
		p.Suspects = append(p.Suspects, newSuspect(fmt.Sprintf("%s-suspect-%d", h.ID, i+1), g, x, times))
	}
	if len(g.Suspects) > 0 {
		p.Remedy = section.NewRemedy(g.Rules, section.About(g.Meaning, g.Lever, g.Before, g.Gap)...)
	}
	for _, x := range g.Others {
		p.Others = append(p.Others, otherSite{plus(g.Unit, x.Change), trendWord(g, x), section.Spot(x.File, x.Line), nameOf(x)})
	}
	if g.More > 0 {
		p.More = "and " + words.Plural(g.More, "other")
	}
	if g.Steady > 0 {
		p.Steady = steadyText(g)
	}
	if a := g.Allocated; a != nil && a.Bytes > 0 {
		p.Allocated = page.Together(allocatedText(g))
		for _, x := range a.Sites[:min(allocatedSites, len(a.Sites))] {
			p.Sites = append(p.Sites, section.Caller{Share: figure.Share(x.Bytes / a.Bytes), Place: section.Spot(x.File, x.Line), Full: section.FullPlace(x.File, x.Line), Func: allocatedName(x)})
		}
	}
	return p
}

func newSuspect(id string, g model.Growth, x model.GrowthSite, times []float64) suspectPart {
	s := suspectPart{ID: id, Name: nameOf(x), Place: section.Spot(x.File, x.Line), Full: section.FullPlace(x.File, x.Line), Change: plus(g.Unit, x.Change)}
	lines := []string{changeOf(g, x)}
	if rate := rateOf(g, x); rate != "" {
		lines = append(lines, rate)
	}
	if len(x.Values) > 0 {
		lines = append(lines, pointsOf(g, x), shapeOf(x))
		s.Curve = newCurve(g, x.Values, times)
	}
	for _, l := range lines {
		if l != "" {
			s.Lines = append(s.Lines, page.Together(l))
		}
	}
	return s
}

// A curvePart is the values of a site as a line over time, from zero on.
type curvePart struct {
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

// timesOf is when the points were, in seconds; their numbers where nobody
// knows when.
func timesOf(g model.Growth) []float64 {
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

func newCurve(g model.Growth, values, times []float64) *curvePart {
	n := min(len(values), len(times))
	if n < 2 {
		return nil
	}
	top := 0.0
	for _, v := range values[:n] {
		top = math.Max(top, v)
	}
	if top <= 0 || words.Unbounded(top) {
		return nil
	}
	at := make([]string, n)
	var dots strings.Builder
	for i := range n {
		x := curveLeft + (curveRight-curveLeft)*(times[i]-times[0])/(times[n-1]-times[0])
		y := curveBottom - (curveBottom-curveTop)*math.Max(0, values[i])/top
		at[i] = plot.Tenth(x) + " " + plot.Tenth(y)
		if n <= curveDots {
			dots.WriteString("M" + at[i] + "h0")
		}
	}
	c := &curvePart{
		Line: "M" + strings.Join(at, "L"), Dots: dots.String(), First: amountOf(g.Unit, values[0]), Last: amountOf(g.Unit, values[n-1]),
		Left: plot.Tenth(curveLeft), Right: plot.Tenth(curveRight), Bottom: plot.Tenth(curveBottom),
	}
	c.Area = fmt.Sprintf("%sL%s %sL%s %sZ", c.Line, c.Right, c.Bottom, c.Left, c.Bottom)
	c.FirstX, c.FirstY, _ = strings.Cut(at[0], " ")
	c.LastX, c.LastY, _ = strings.Cut(at[n-1], " ")
	c.Words = fmt.Sprintf("from %s to %s over %s", c.First, c.Last, words.Plural(n, "point"))
	c.Begin, c.End = "0", words.Seconds(g.Seconds)
	if g.Seconds <= 0 {
		c.Begin, c.End = "first", "last"
	}
	return c
}
