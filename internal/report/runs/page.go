package runs

import (
	"cmp"
	"embed"
	"io"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/page/code"
	"github.com/pawl-dev/pawl/internal/report/page/flame"
	"github.com/pawl-dev/pawl/internal/report/page/plot"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

//go:embed run.html change.html
var runFiles embed.FS

var runKind = page.Kind{Name: "run", Files: []embed.FS{runFiles, flame.Files, plot.Files, code.Files}}

// Extra is what the page shows beyond the run itself.
type Extra struct {
	Excerpts map[string]code.Excerpt   // of what costs before any change, by Target.ID
	Tried    map[string][]code.Excerpt // around what a change aimed at, by Change.ID, as it was then
	// MinEffect is the smallest gain that was worth having, as a fraction.
	MinEffect float64
	Flames    []model.Flame // original against final
	// Steps are the flame graphs before and after a change, by Change.ID.
	Steps map[string][]model.Flame
	Raw   []data.Raw // to take along
}

func (e Extra) graphs() int {
	n := len(e.Flames)
	for _, fs := range e.Steps {
		n += len(fs)
	}
	return n
}

// HTML writes a run as one page that holds all it needs: no script, no font,
// no picture is fetched. It reads on paper, on a telephone, and on a dark
// screen. Ideas that were refuted stand between those that were kept, in the
// order in which they were tried, and in the same form.
func HTML(w io.Writer, r *model.Run, extra Extra) error {
	return page.WriteBounded(w, runKind, func(b page.Bounds) any { return newPage(r, extra, b) })
}

// A runPage is what the template is filled with: text in its final form, and
// places of lines in the pictures.
type runPage struct {
	page.Frame
	Nav     []page.Anchor
	Head    string
	Module  string
	Date    string
	Summary string
	Results []pageResult

	MoreGains pageGains  // folded, as is
	More      []pageCost // this
	Attempts  []pageAttempt
	Scale     plot.Scale
	Timed     bool // an attempt has a picture
	ScaleLo   string
	ScaleHi   string
	Next      []figure.Step // what to do now
	Gains     pageGains
	Same      string // benchmarks without a worthwhile effect
	Costs     []pageCost
	CostOf    string   // what the shares are of
	Loose     []string // what no line explains
	Facts     []figure.Fact
	Warnings  []model.Warning
	Parts     []page.Part
	Took      string
	Steps     []figure.Step
	Flames    []flame.View
	Raw       []page.Raw
}

func newPage(r *model.Run, extra Extra, b page.Bounds) runPage {
	p := runPage{
		Frame: page.New(sheet.Cut(pageTitle(r), titleWidth, true)), Head: page.Together(pageTitle(r)), Module: r.Module,
		Facts: facts(r), Warnings: warnings(r), Steps: append(steps(r), figure.Step{Label: "again", Text: command(r), Command: true}), Raw: page.NewRaw(extra.Raw, b.Raw),
	}
	if !r.Started.IsZero() {
		p.Date = r.Started.Format("2 January 2006, 15:04")
	}
	p.answer(r)
	for _, res := range shownResults(r) {
		if res.Verdict != nil {
			p.Results = append(p.Results, newResult(res))
		}
	}
	var same []string
	p.Gains, p.MoreGains, same = gainTables(r)
	p.Same = strings.Join(same, ", ")
	if b.Flames > 0 {
		p.Flames = flame.New(extra.Flames, "flame-0", 0, extra.graphs())
	}
	p.Scale = plot.ScaleOf(firstVerdicts(r.Attempts))
	many := severalBenchmarks(r.Attempts)
	for i, a := range r.Attempts {
		p.Attempts = append(p.Attempts, newAttempt(i+1, a, p.Scale, many, extra, b))
		p.Attempts[i].Alone = len(r.Attempts) == 1
		p.Timed = p.Timed || p.Attempts[i].Picture != nil
	}
	if ticks := p.Scale.Ticks; len(ticks) > 0 {
		p.ScaleLo, p.ScaleHi = ticks[0].Text, ticks[len(ticks)-1].Text
	}
	p.Costs, p.CostOf = pageCosts(r, extra)
	if len(p.Costs) > shownCosts {
		p.Costs, p.More = p.Costs[:shownCosts], p.Costs[shownCosts:]
	}
	p.Loose = loose(r)
	p.Parts, p.Took = page.Parts(r.Split)
	p.Nav = p.anchors()
	flame.Add(&p.Frame, p.graphs())
	return p
}

// answer fills in what became of the run and what to do now, below the title.
func (p *runPage) answer(r *model.Run) {
	p.Next = nextSteps(r)
	lead := summary(r)
	if rest, ok := strings.CutPrefix(lead, pageTitle(r)); ok { // the heading is not said again
		lead = page.Sentence(strings.TrimLeft(rest, "; "))
	}
	if t := stopped(r); t != "" {
		lead = strings.TrimSpace(lead + " " + t)
	}
	if r.Kept() == 0 && r.Verb != "try" {
		if t := whereToLook(costs(r)); t != "" {
			lead = strings.TrimSpace(lead + " " + page.Sentence(t) + ".")
		}
	}
	p.Summary = page.Together(lead)
}

func (p *runPage) graphs() []flame.View {
	all := slices.Clone(p.Flames)
	for _, a := range p.Attempts {
		all = append(all, a.Flames...)
	}
	return all
}

func (p *runPage) anchors() page.Anchors {
	var out page.Anchors
	out.Add(len(p.Gains.Rows) > 0, "gains", "Result")
	out.Add(len(p.Costs)+len(p.Loose) > 0, "costs", "Where the time goes")
	out.Add(len(p.Attempts) > 0, "tried", "What was tried")
	out.Add(len(p.Results) > 0, "results", "Each benchmark")
	out.Add(len(p.Flames) > 0, "flames", "Flame graphs")
	out.Add(len(p.Warnings) > 0, "warnings", "Warnings")
	out.Add(true, "measured", "How it was measured")
	out.Add(len(p.Steps) > 0, "again", "What now")
	out.Add(len(p.Raw) > 0, "data", "Raw data")
	return out
}

// titleWidth is how long the title of a page may be in a browser's list.
const titleWidth = 100

// pageTitle is the headline of the benchmark with most to say: one that is
// worse before all others, then one that is faster, then one that allocates less.
// Of a change that somebody brought it is the verdict, and the first of what is
// said of it.
func pageTitle(r *model.Run) string {
	if r.Verb == "try" && len(r.Attempts) == 1 {
		first, _, _ := strings.Cut(summary(r), "; ")
		return first
	}
	best, least := "", unknown
	for _, res := range r.Results {
		if n := telling(res); n < least {
			best, least = headline(res), n
		}
	}
	return cmp.Or(best, summary(r))
}

func telling(res model.Result) int {
	fell, rose := false, false
	for _, c := range res.Counts {
		if c.Metric == "allocs/op" {
			fell, rose = fell || c.Fell(), rose || c.Rose()
		}
	}
	switch v := res.Verdict; {
	case rose || v != nil && v.Answer == model.Slower:
		return 0
	case v != nil && v.Answer == model.Faster:
		return 1
	case fell:
		return 2
	case v == nil:
		return unknown
	}
	return untold
}

// untold is of a benchmark with little to tell, unknown of one that was not compared.
const (
	untold = iota + 3
	unknown
)
