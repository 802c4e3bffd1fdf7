package changes

import (
	"embed"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/page/flame"
)

//go:embed changes.html
var Files embed.FS

// A Part is what differs between two sets of profiles.
type Part struct {
	section.Head
	Sides    string
	Units    string
	Groups   []changeGroup
	Top      string // what the right end of all rows stands for
	Signs    string
	Rest     []string
	Warnings []model.Warning
	Flames   []flame.View
}

// A changeGroup is what went one way: up or down, by function or by line.
type changeGroup struct {
	Title string
	Rows  []changeRow
	More  []changeRow // folded
	Left  string      // what is not even there
}

// A changeRow is one function or line, before and after.
type changeRow struct {
	Tone          string // rose, fell or share, for what changed in share only
	Name, Full    string
	Place         string // of a line
	Facts         string
	Before, After string
	Change        string
	Interval      string
	X1, X2        string // before and after, of 100
	Lo, Span      string // from the lesser to the greater
}

// NewPart fills the part about two profiles.
func NewPart(h section.Head, c model.ProfileComparison) Part {
	p := Part{Head: h, Sides: page.Together(changeSides(c)), Warnings: c.Warnings}
	if c.Base.Total > 0 && c.Now.Total > 0 {
		p.Units = changeUnits(c)
	}
	top := math.Max(largest(c.Functions), largest(c.Lines))
	p.Top = per(c, top)
	up, down := changeGroups(c)
	for _, g := range []struct {
		title string
		of    []model.ProfileChange
		up    bool
	}{{up + ", by function", c.Functions, true}, {up + ", by line", c.Lines, true}, {down + ", by function", c.Functions, false}, {down + ", by line", c.Lines, false}} {
		of := more(g.of, g.up)
		rows := newChangeRows(c, of, top)
		if len(rows) == 0 {
			continue
		}
		n := min(mostChanges, len(rows))
		p.Groups = append(p.Groups, changeGroup{g.title, rows[:n], rows[n:], section.Left(len(of) - len(rows))})
	}
	if len(c.Signs) > 0 {
		p.Signs = page.Together(signChangesText(c))
	}
	for _, t := range restTexts(c) {
		p.Rest = append(p.Rest, page.Together(t))
	}
	return p
}

// mostRows is how many rows a group has on the page; JSON has all.
const mostRows = 100

func newChangeRows(c model.ProfileComparison, of []model.ProfileChange, top float64) []changeRow {
	var out []changeRow
	for _, x := range of[:min(mostRows, len(of))] {
		out = append(out, newChangeRow(c, asNamed(x), top))
	}
	return out
}

func newChangeRow(c model.ProfileComparison, x model.ProfileChange, top float64) changeRow {
	r := changeRow{
		Tone: "fell", Name: changedFunc(c, x), Full: x.Func, Facts: page.Together(strings.Join(changeFacts(c, x), "; ")),
		Before: per(c, x.Before), After: per(c, x.After),
	}
	switch {
	case x.ShareOnly:
		r.Tone = "share"
	case x.After > x.Before:
		r.Tone = "rose"
	}
	if x.Line > 0 {
		r.Place, r.Full = section.Spot(x.File, x.Line), section.FullPlace(x.File, x.Line)
	}
	r.Change, r.Interval, _ = strings.Cut(page.Together(changeInterval(x)), " [")
	if r.Interval != "" {
		r.Interval = "[" + r.Interval
	}
	if top > 0 {
		a, b := section.BarLength(x.Before/top), section.BarLength(x.After/top)
		r.X1, r.X2 = page.Decimal(a), page.Decimal(b)
		r.Lo, r.Span = page.Decimal(math.Min(a, b)), page.Decimal(math.Abs(b-a))
	}
	return r
}
