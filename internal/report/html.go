package report

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// Extra is what the page shows beyond the run itself.
type Extra struct {
	Excerpts map[string]Excerpt   // of what costs before any change, by Target.ID
	Tried    map[string][]Excerpt // around what a change aimed at, by Change.ID, as it was then
	// MinEffect is the smallest gain that was worth having, as a fraction.
	MinEffect float64
	Flames    []model.Flame // original against final
	// Steps are the flame graphs before and after a change, by Change.ID.
	Steps map[string][]model.Flame
	Raw   []Raw // to take along
}

// graphs is how many flame graphs there are.
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
	return writeBounded(w, "run", func(b bounded) any { return newPage(r, extra, b) })
}

// A page is what the template is filled with: text in its final form, and
// places of lines in the pictures.
type page struct {
	pageFrame
	Nav      []anchor
	Head     string
	Module   string
	Date     string
	Summary  string
	Stopped  string
	Results  []pageResult
	Attempts []pageAttempt
	Scale    scale
	Timed    bool // an attempt has a picture
	Targets  []pageTarget
	CostOf   string   // the benchmark that the shares hold in
	Loose    []string // what no line explains
	Facts    []fact
	Warnings []model.Warning
	Parts    []pagePart
	Took     string
	Steps    []step
	Flames   []flameView
	Raw      []pageRaw
}

func newPage(r *model.Run, extra Extra, b bounded) page {
	p := page{
		pageFrame: newFrame(pageTitle(r)), Head: together(pageTitle(r)), Module: r.Module, Summary: summary(r), Stopped: r.Stopped,
		Facts: facts(r), Warnings: warnings(r), Steps: append(steps(r), step{"again", command(r), true}), Raw: newRaw(extra.Raw, b.raw),
	}
	if !r.Started.IsZero() {
		p.Date = r.Started.Format("2 January 2006, 15:04")
	}
	for _, res := range r.Results {
		p.Results = append(p.Results, newResult(res))
	}
	if b.flames > 0 {
		p.Flames = newFlames(extra.Flames, "flame-0", 0, extra.graphs())
	}
	p.Scale = scaleOf(firstVerdicts(r.Attempts))
	many := severalBenchmarks(r.Attempts)
	for i, a := range r.Attempts {
		p.Attempts = append(p.Attempts, newAttempt(i+1, a, p.Scale, many, extra, b))
		p.Timed = p.Timed || p.Attempts[i].Picture != nil
	}
	p.Targets, p.CostOf = newTargets(prospects(r), extra)
	for _, u := range r.Unexplained {
		p.Loose = append(p.Loose, unexplained(u))
	}
	p.Parts, p.Took = parts(r.Split)
	p.Nav = p.anchors()
	p.withFlames(p.graphs())
	return p
}

// graphs returns all flame graphs of the page.
func (p *page) graphs() []flameView {
	all := slices.Clone(p.Flames)
	for _, a := range p.Attempts {
		all = append(all, a.Flames...)
	}
	return all
}

// An anchor is a section of the page and its name.
type anchor struct{ To, Text string }

func (p *page) anchors() []anchor {
	var out []anchor
	add := func(there bool, to, text string) {
		if there {
			out = append(out, anchor{to, text})
		}
	}
	add(len(p.Results) > 0, "results", "Result")
	add(len(p.Attempts) > 0, "tried", "What was tried")
	add(len(p.Attempts) > 0, "changes", "Each change")
	add(len(p.Targets)+len(p.Loose) > 0, "costs", "What costs")
	add(len(p.Flames) > 0, "flames", "Flame graphs")
	add(len(p.Warnings) > 0, "warnings", "Warnings")
	add(true, "measured", "How it was measured")
	add(len(p.Steps) > 0, "again", "What now")
	add(len(p.Raw) > 0, "data", "Raw data")
	return out
}

// together keeps together what is read as one where a line ends: a figure and
// its unit, a change.
func together(s string) string {
	all := words(s)
	for i, w := range all {
		all[i] = strings.ReplaceAll(w, " ", "\u00a0")
	}
	return strings.NewReplacer(" %", "\u00a0%", " → ", "\u00a0→\u00a0").Replace(strings.Join(all, " "))
}

// pageTitle is the headline of the benchmark with most to say: one that is
// worse before all others, then one that is faster, then one that allocates less.
func pageTitle(r *model.Run) string {
	best, least := "", math.MaxInt
	for _, res := range r.Results {
		if n := telling(res); res.Verdict != nil && n < least {
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
	case v == nil:
		return 4
	case v.Answer == model.Slower || rose:
		return 0
	case v.Answer == model.Faster:
		return 1
	case fell:
		return 2
	}
	return 3
}

// A pagePart is one stretch of the bar that shows where the time went.
type pagePart struct {
	Name, Time, Share string
	X, Width          string
	Tone              int
}

func parts(sp model.Split) ([]pagePart, string) {
	if sp.Total <= 0 || open(sp.Total+sp.Build+sp.Test+sp.Measure+sp.Other) {
		return nil, ""
	}
	var out []pagePart
	x := 0.0
	for i, p := range split(sp) {
		if p.seconds <= 0 {
			continue
		}
		w := 100 * p.seconds / sp.Total
		out = append(out, pagePart{Name: p.name, Time: seconds(p.seconds), Share: share(p.seconds / sp.Total), X: decimal(x), Width: decimal(w), Tone: i})
		x += w
	}
	return out, seconds(sp.Total)
}

// decimal writes a coordinate.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
