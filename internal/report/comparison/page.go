package comparison

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/page/flame"
	"github.com/pawl-dev/pawl/internal/report/page/plot"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed compare.html
var compareFiles embed.FS

var compareKind = page.Kind{Name: "compare", Files: []embed.FS{compareFiles, flame.Files, plot.Files}}

// HTML writes what compare or gate found as one page of the same kind
// as HTML's: the answer, an overview of the benchmarks, and then each of them,
// the worst first.
func HTML(w io.Writer, c *model.Comparison, extra Extra) error {
	return page.WriteBounded(w, compareKind, func(b page.Bounds) any { return newComparePage(c, extra, b) })
}

// Extra is what the page of a comparison shows beyond it.
type Extra struct {
	Flames map[model.Benchmark][]model.Flame // base and candidate
	Raw    []data.Raw                        // to take along
}

// A comparePage is what the template is filled with.
type comparePage struct {
	page.Frame
	Nav      []page.Anchor
	Head     string
	Over     string
	Lead     string
	Between  string
	Decide   string // the command
	Stopped  string
	Items    []pageCompared
	Scale    plot.Scale
	Timed    bool
	Load     *pageLoad
	Records  []pageRecord
	NotRun   []string
	Facts    []figure.Fact
	Warnings []model.Warning
	Parts    []page.Part
	Took     string
	Steps    []figure.Step
	Raw      []page.Raw
}

func newComparePage(c *model.Comparison, extra Extra, b page.Bounds) comparePage {
	head, rest := Answer(c)
	p := comparePage{
		Frame: page.New(page.Sentence(head)), Head: page.Sentence(head), Lead: page.Sentence(rest), Stopped: c.Stopped, Records: pageRecords(c.Records),
		NotRun: unchangedNames(c), Facts: comparisonFacts(c), Warnings: comparisonWarnings(c), Steps: comparisonSteps(c), Raw: page.NewRaw(extra.Raw, b.Raw),
	}
	over := []string{c.Module}
	if !c.Started.IsZero() {
		over = append(over, c.Started.Format("2 January 2006, 15:04"))
	}
	p.Over = strings.Join(slices.DeleteFunc(over, func(s string) bool { return s == "" }), " · ")
	p.Between, p.Decide = between(c), decide(c)
	p.items(c)
	p.graphs(extra.Flames, b)
	if c.Load != nil {
		p.Load = newLoad(c.Load)
	}
	p.Parts, p.Took = page.Parts(c.Split)
	p.Nav = p.anchors()
	return p
}

// items fills in the benchmarks that were judged, on one scale.
func (p *comparePage) items(c *model.Comparison) {
	bs, rows := judgedBenchmarks(c), comparedRowsOf(c)
	var verdicts []model.Verdict
	for _, b := range bs {
		if b.Verdict != nil {
			verdicts = append(verdicts, *b.Verdict)
		}
	}
	p.Scale = plot.ScaleOf(verdicts)
	for i, b := range bs {
		item := newCompared(i+1, c, b, rows[i], p.Scale)
		item.Folded = len(bs) > 1 && (b.Standing == model.Clean || b.Standing == model.OneSided)
		p.Items = append(p.Items, item)
		p.Timed = p.Timed || item.Picture != nil
	}
}

// fewGraphs is how many flame graphs a page has that has little room.
const fewGraphs = 4

// graphs adds flame graphs to the benchmarks, those of the first of them where
// there is little room.
func (p *comparePage) graphs(flames map[model.Benchmark][]model.Flame, b page.Bounds) {
	var of []*pageCompared
	graphs := 0
	for i := range p.Items {
		n := len(flames[p.Items[i].bm])
		if n == 0 || b.Flames == 0 || b.Flames == 1 && graphs+n > fewGraphs {
			continue
		}
		of = append(of, &p.Items[i])
		graphs += n
	}
	var all []flame.View
	for _, item := range of {
		item.Flames = flame.New(flames[item.bm], fmt.Sprintf("flame-%d", item.N), len(all), graphs)
		all = append(all, item.Flames...)
	}
	flame.Add(&p.Frame, all)
}

func (p *comparePage) anchors() page.Anchors {
	var out page.Anchors
	out.Add(len(p.Items) > 0, "overview", "Overview")
	out.Add(len(p.Items) > 0, "each", "Each benchmark")
	out.Add(p.Load != nil, "load", "Under load")
	out.Add(len(p.Records) > 0, "records", "Records")
	out.Add(len(p.NotRun) > 0, "notrun", "Not run")
	out.Add(len(p.Warnings) > 0, "warnings", "Warnings")
	out.Add(true, "measured", "How it was measured")
	out.Add(len(p.Steps) > 0, "again", "What now")
	out.Add(len(p.Raw) > 0, "data", "Raw data")
	return out
}

func between(c *model.Comparison) string {
	base, cand := sideText(c.Base, c.Candidate), sideText(c.Candidate, c.Base)
	switch {
	case base == "" && cand == "":
		return ""
	case base == "":
		base = "?"
	case cand == "":
		cand = "?"
	}
	return base + " → " + cand
}

// A pageCompared is one benchmark of a comparison.
type pageCompared struct {
	bm       model.Benchmark
	N        int
	Name     string
	Standing string
	Sign     string
	Tone     string // "better", "worse", "open" or ""
	Folded   bool
	Why      string
	Short    string // its first line
	Figure   string
	What     string
	Faster   bool
	Slower   bool
	Range    string
	Counts   []figure.Row
	Picture  *plot.Picture
	Evidence *plot.Evidence
	Rows     []figure.Row
	Level    string
	Guards   []page.Guard
	Notes    []string
	Flames   []flame.View
	Changed  []string // symbols that differ
	Reached  string
	Warnings []model.Warning
}

func newCompared(n int, c *model.Comparison, b model.Compared, r comparedRow, sc plot.Scale) pageCompared {
	p := pageCompared{
		bm: b.Benchmark, N: n, Name: r.name, Standing: r.standing, Sign: r.mark.Text, Tone: toneOf(b.Standing), Why: b.Why,
		Guards: page.Guards(b.Guards), Warnings: benchmarkWarnings(b),
	}
	p.Short = words.FirstLine(b.Why)
	p.Notes = slices.DeleteFunc(slices.Clone(r.notes), func(t string) bool {
		return t == b.Why || strings.HasPrefix(t, "guard: ") || slices.ContainsFunc(p.Warnings, func(w model.Warning) bool { return w.Seen == t })
	})
	if b.Before != nil && b.After != nil {
		p.Rows = slices.DeleteFunc(figure.Rows(model.Result{Benchmark: b.Benchmark, Before: *b.Before, After: *b.After, Verdict: b.Verdict, Counts: b.Counts}),
			func(w figure.Row) bool { return unknown(b, w) })
	}
	p.Rows = append(p.Rows, r.metricFigures()...)
	for _, w := range p.Rows {
		if w.Interval == "exact" && !w.Equal && w.Label != "retained" {
			p.Counts = append(p.Counts, w)
		}
	}
	if v := b.Verdict; v != nil && v.Units > 0 && !words.Unbounded(v.Change) {
		p.Figure, p.What, p.Level = figure.Change(v.Change), figure.Metric(v.Metric)+" per op", figure.Level(v)
		p.Faster, p.Slower = v.Answer == model.Faster, v.Answer == model.Slower
		p.Range = page.Together(string(v.Answer) + " in this benchmark: " + figure.BoundsAfter(*v, r.units))
		p.Picture, p.Evidence = sc.Draw(*v), plot.NewEvidence(*v, c.MinEffect)
	}
	if b.Code != nil {
		p.Changed = b.Code.Changed
		p.Reached = "Changed in machine code, types or data, of " + words.Plural(b.Code.Reached, "function") + " that this benchmark reaches (an inlined call is a part of its caller)"
	}
	return p
}

// unknown reports whether a row is of what nobody measured: files of results
// need not have CPU time or counts, and 0 is not what they say.
func unknown(b model.Compared, w figure.Row) bool {
	switch w.Label {
	case "cpu/op":
		return b.Before.CPUNs == 0 && b.After.CPUNs == 0
	case "allocs/op", "B/op":
		return model.CountOf(b.Counts, w.Label) == nil
	}
	return false
}

func toneOf(s model.Standing) string {
	switch s {
	case model.Improved:
		return "better"
	case model.Regressed:
		return "worse"
	case model.Failed, model.Open:
		return "open"
	}
	return ""
}

// A pageLoad is two programs under load.
type pageLoad struct {
	Standing, Tone, Why, Level, Units string
	Rows                              []pageLoadRow
	Guards                            []page.Guard
}

// A pageLoadRow is one metric of two programs under load.
type pageLoadRow struct{ Name, Before, After, Change, Interval, Answer string }

func newLoad(l *model.Load) *pageLoad {
	p := &pageLoad{
		Standing: standingWord(l.Standing), Tone: toneOf(l.Standing), Why: l.Why, Level: loadLevel(l), Units: loadUnits(l), Guards: page.Guards(l.Guards),
	}
	for _, r := range loadRows(l) {
		p.Rows = append(p.Rows, pageLoadRow{r.name, r.before, r.after, r.change, r.interval, r.answer})
	}
	return p
}

// A pageRecord is what a record asks, and whether it holds.
type pageRecord struct {
	Sign, Name, File, Standing, Tone string
	Why                              []string
}

func pageRecords(rs []model.Recorded) []pageRecord {
	var out []pageRecord
	for _, r := range rs {
		p := pageRecord{Sign: "?", Name: r.Name, File: r.File, Standing: r.Standing, Why: r.Why}
		switch r.Standing {
		case "holds":
			p.Sign = "✓"
		case "broken":
			p.Sign, p.Tone = "✗", "worse"
		}
		out = append(out, p)
	}
	return out
}
