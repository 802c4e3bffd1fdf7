package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
)

// ComparisonHTML writes what compare or gate found as one page of the same kind
// as HTML's: the answer, an overview of the benchmarks, and then each of them,
// the worst first.
func ComparisonHTML(w io.Writer, c *model.Comparison, extra ComparisonExtra) error {
	return writeBounded(w, "compare", func(b bounded) any { return newComparePage(c, extra, b) })
}

// ComparisonExtra is what the page of a comparison shows beyond it.
type ComparisonExtra struct {
	Flames map[model.Benchmark][]model.Flame // base and candidate
	Raw    []Raw                             // to take along
}

// A comparePage is what the template is filled with.
type comparePage struct {
	pageFrame
	Nav      []anchor
	Head     string
	Over     string
	Lead     string
	Between  string
	Stopped  string
	Items    []pageCompared
	Scale    scale
	Timed    bool
	Load     *pageLoad
	Records  []pageRecord
	NotRun   []string
	Facts    []fact
	Warnings []model.Warning
	Parts    []pagePart
	Took     string
	Steps    []step
	Raw      []pageRaw
}

func newComparePage(c *model.Comparison, extra ComparisonExtra, b bounded) comparePage {
	head, rest := answerOf(c)
	p := comparePage{
		pageFrame: newFrame(sentence(head)), Head: sentence(head), Lead: sentence(rest), Stopped: c.Stopped, Records: pageRecords(c.Records),
		NotRun: unchangedNames(c), Facts: comparisonFacts(c), Warnings: comparisonWarnings(c), Steps: comparisonSteps(c), Raw: newRaw(extra.Raw, b.raw),
	}
	over := []string{c.Module}
	if !c.Started.IsZero() {
		over = append(over, c.Started.Format("2 January 2006, 15:04"))
	}
	p.Over = strings.Join(slices.DeleteFunc(over, func(s string) bool { return s == "" }), " · ")
	p.Between = between(c)
	p.items(c)
	p.graphs(extra.Flames, b)
	if c.Load != nil {
		p.Load = newLoad(c.Load)
	}
	p.Parts, p.Took = parts(c.Split)
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
	p.Scale = scaleOf(verdicts)
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
func (p *comparePage) graphs(flames map[model.Benchmark][]model.Flame, b bounded) {
	var of []*pageCompared
	graphs := 0
	for i := range p.Items {
		n := len(flames[p.Items[i].bm])
		if n == 0 || b.flames == 0 || b.flames == 1 && graphs+n > fewGraphs {
			continue
		}
		of = append(of, &p.Items[i])
		graphs += n
	}
	var all []flameView
	for _, item := range of {
		item.Flames = newFlames(flames[item.bm], fmt.Sprintf("flame-%d", item.N), len(all), graphs)
		all = append(all, item.Flames...)
	}
	p.withFlames(all)
}

func (p *comparePage) anchors() []anchor {
	var out []anchor
	add := func(there bool, to, text string) {
		if there {
			out = append(out, anchor{to, text})
		}
	}
	add(len(p.Items) > 0, "overview", "Overview")
	add(len(p.Items) > 0, "each", "Each benchmark")
	add(p.Load != nil, "load", "Under load")
	add(len(p.Records) > 0, "records", "Records")
	add(len(p.NotRun) > 0, "notrun", "Not run")
	add(len(p.Warnings) > 0, "warnings", "Warnings")
	add(true, "measured", "How it was measured")
	add(len(p.Steps) > 0, "again", "What now")
	add(len(p.Raw) > 0, "data", "Raw data")
	return out
}

// between names the two sides.
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

// sentence begins with a capital letter.
func sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
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
	Counts   []row
	Picture  *picture
	Evidence *evidence
	Rows     []row
	Level    string
	Guards   []pageGuard
	Notes    []string
	Flames   []flameView
	Changed  []string // symbols that differ
	Reached  string
	Warnings []model.Warning
}

func newCompared(n int, c *model.Comparison, b model.Compared, r comparedRow, sc scale) pageCompared {
	p := pageCompared{
		bm: b.Benchmark, N: n, Name: r.name, Standing: r.standing, Sign: r.mark.text, Tone: toneOf(b.Standing), Why: b.Why,
		Guards: pageGuards(b.Guards), Warnings: benchmarkWarnings(b),
	}
	p.Short, _, _ = strings.Cut(strings.TrimSpace(b.Why), "\n")
	p.Notes = slices.DeleteFunc(slices.Clone(r.notes), func(t string) bool {
		return t == b.Why || strings.HasPrefix(t, "guard: ") || slices.ContainsFunc(p.Warnings, func(w model.Warning) bool { return w.Seen == t })
	})
	if b.Before != nil && b.After != nil {
		p.Rows = slices.DeleteFunc(rows(model.Result{Benchmark: b.Benchmark, Before: *b.Before, After: *b.After, Verdict: b.Verdict, Counts: b.Counts}),
			func(w row) bool { return unknown(b, w) })
	}
	for _, w := range p.Rows {
		if w.Interval == "exact" && !w.Equal && w.Label != "retained" {
			p.Counts = append(p.Counts, w)
		}
	}
	if v := b.Verdict; v != nil && v.Units > 0 && !open(v.Change) {
		p.Figure, p.What, p.Level = change(v.Change), metricName(v.Metric)+" per op", level(v)
		p.Faster, p.Slower = v.Answer == model.Faster, v.Answer == model.Slower
		p.Range = together(string(v.Answer) + " in this benchmark: " + boundsAfter(*v, r.units))
		p.Picture, p.Evidence = sc.draw(*v), newEvidence(*v, c.MinEffect)
	}
	if b.Code != nil {
		p.Changed = b.Code.Changed
		p.Reached = "What differs of the " + number(b.Code.Reached, "function") + " that it reaches, and of their types and data"
	}
	return p
}

// unknown reports whether a row is of what nobody measured: files of results
// need not have CPU time or counts, and 0 is not what they say.
func unknown(b model.Compared, w row) bool {
	switch w.Label {
	case "cpu/op":
		return b.Before.CPUNs == 0 && b.After.CPUNs == 0
	case "allocs/op", "B/op":
		return find(b.Counts, w.Label) == nil
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
	Guards                            []pageGuard
}

// A pageLoadRow is one metric of two programs under load.
type pageLoadRow struct{ Name, Before, After, Change, Interval, Answer string }

func newLoad(l *model.Load) *pageLoad {
	p := &pageLoad{
		Standing: standingWord(l.Standing), Tone: toneOf(l.Standing), Why: l.Why, Level: loadLevel(l), Units: loadUnits(l), Guards: pageGuards(l.Guards),
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
