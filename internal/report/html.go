package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// An Excerpt is a piece of a source file around a target.
type Excerpt struct {
	File  string
	First int // number of the first line
	Lines []string
	Mark  int // number of the line that costs
}

// Extra is what the page shows beyond the run itself.
type Extra struct {
	Excerpts map[string]Excerpt // by Target.ID
}

// HTML writes a run as one page that holds all it needs: no script, no font,
// no picture is fetched. It reads on paper, on a telephone, and on a dark
// screen. Ideas that were refuted stand between those that were kept, in the
// order in which they were tried.
func HTML(w io.Writer, r *model.Run, extra Extra) error {
	return writePage(w, "run", newPage(r, extra))
}

// A page is what the template is filled with: text in its final form, and
// places of lines in the pictures.
type page struct {
	pageFrame
	Module   string
	Date     string
	Command  string
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
}

func newPage(r *model.Run, extra Extra) page {
	p := page{
		pageFrame: newFrame(pageTitle(r)), Module: r.Module, Command: command(r), Summary: summary(r),
		Stopped: r.Stopped, Facts: facts(r), Warnings: warnings(r), Steps: steps(r),
	}
	if !r.Started.IsZero() {
		p.Date = r.Started.Format("2 January 2006, 15:04")
	}
	for _, res := range r.Results {
		p.Results = append(p.Results, newResult(res))
	}
	p.Scale = scaleOf(firstVerdicts(r.Attempts))
	many := severalBenchmarks(r.Attempts)
	for i, a := range r.Attempts {
		p.Attempts = append(p.Attempts, newAttempt(i+1, a, p.Scale, many))
		p.Timed = p.Timed || p.Attempts[i].Picture != nil
	}
	p.Targets, p.CostOf = newTargets(prospects(r), extra)
	for _, u := range r.Unexplained {
		p.Loose = append(p.Loose, unexplained(u))
	}
	p.Parts, p.Took = parts(r.Split)
	return p
}

func pageTitle(r *model.Run) string {
	for _, res := range r.Results {
		if res.Verdict != nil {
			return headline(res)
		}
	}
	return summary(r)
}

// A pageResult is one benchmark, original against final.
type pageResult struct {
	Name    string
	Figure  string // the change, large: "−46.5 %"
	What    string // what it is the change of
	Answer  string
	Faster  bool
	Range   string // the interval and what it rests on
	Picture *picture
	Rows    []row
	Level   string // heading of the intervals
	Counts  []row  // of counts that changed, for the figures beside the change
}

func newResult(res model.Result) pageResult {
	p := pageResult{Name: res.Benchmark.String(), Rows: rows(res)}
	for _, w := range p.Rows {
		if w.Interval == "exact" && !w.Equal && w.Label != "retained" {
			p.Counts = append(p.Counts, w)
		}
	}
	if v := res.Verdict; v != nil {
		p.Figure, p.What, p.Answer = change(v.Change), metricName(v.Metric)+" per op", string(v.Answer)
		p.Range = fmt.Sprintf("%s, %s interval after %s", bounds(*v), share(v.Level), units(*v))
		p.Level, p.Faster = level(v), v.Answer == model.Faster
		p.Picture = scaleOf([]model.Verdict{*v}).draw(*v)
	}
	return p
}

func firstVerdicts(attempts []model.Attempt) []model.Verdict {
	var out []model.Verdict
	for _, a := range attempts {
		if len(a.Verdicts) > 0 {
			out = append(out, a.Verdicts[0])
		}
	}
	return out
}

// A pageAttempt is one change that was tried.
type pageAttempt struct {
	N           int
	Kept        bool
	Outcome     string
	Title       string
	Idea        string
	Reason      string
	Figure      string // of the verdict, with its interval
	Answer      string
	Picture     *picture
	Solo        string
	Counts      []string
	Checks      []pageCheck
	Behaviour   []string
	Obligations []model.Obligation
	Retains     string
	Diff        []diffLine
	Commit      string
	Warnings    []model.Warning
}

// A pageCheck is one check of the guard and its sign.
type pageCheck struct {
	Sign, Name, Detail string
}

func newAttempt(n int, a model.Attempt, sc scale, many bool) pageAttempt {
	p := pageAttempt{
		N: n, Kept: a.Outcome == model.Kept, Outcome: string(a.Outcome), Title: a.Change.Title, Idea: a.Change.Hypothesis,
		Reason: a.Reason, Solo: solo(a.Solo), Obligations: a.Change.Obligations, Retains: a.Change.Retains,
		Diff: parseDiff(a.Diff), Commit: a.Commit, Warnings: a.Warnings, Behaviour: behaviourLines(a),
	}
	if len(a.Verdicts) > 0 {
		v := a.Verdicts[0]
		only := a
		only.Solo = nil
		p.Figure, p.Answer, p.Picture = figures(only, many), fmt.Sprintf("%s after %s", v.Answer, units(v)), sc.draw(v)
	}
	for _, c := range a.Counts {
		if !c.Noisy && !c.Equal() {
			p.Counts = append(p.Counts, fmt.Sprintf("%s %s → %s", c.Metric, exact(c.Metric, c.Before), exact(c.Metric, c.After)))
		}
	}
	for _, c := range a.Checks {
		switch {
		case c.Skipped != "":
			p.Checks = append(p.Checks, pageCheck{"–", c.Name, "skipped: " + c.Skipped})
		case c.OK:
			p.Checks = append(p.Checks, pageCheck{"✓", c.Name, ""})
		default:
			p.Checks = append(p.Checks, pageCheck{"✗", c.Name, c.Detail})
		}
	}
	return p
}

// A pageTarget is a line that costs.
type pageTarget struct {
	ID, Place, Func, Share, PerOp, Own, CPU, Reason string
	Bar                                             string // length of the bar, of 100
	Flow                                            []string
	Title, Skip                                     string
	Lines                                           []sourceLine
}

// A sourceLine is one line of an excerpt.
type sourceLine struct {
	N    int
	Text string
	Mark bool
}

// newTargets also says which benchmark the shares hold in. Where there are
// several, each target names its own.
func newTargets(ps []model.Prospect, extra Extra) ([]pageTarget, string) {
	var out []pageTarget
	bs := benchmarks(ps)
	for _, pr := range ps {
		t := newTarget(pr, extra)
		if len(bs) > 1 {
			t.Share += " in " + pr.Target.Benchmark.String()
		}
		out = append(out, t)
	}
	switch len(bs) {
	case 0:
		return out, ""
	case 1:
		return out, bs[0].String() + " and hold in this benchmark"
	}
	return out, "the benchmark that each names"
}

func newTarget(pr model.Prospect, extra Extra) pageTarget {
	t := pr.Target
	p := pageTarget{
		ID: t.ID, Place: t.At.File + ":" + strconv.Itoa(t.At.Line), Func: symbol(t.Func), Share: share(t.Share) + " of " + string(t.Resource),
		PerOp: perOp(t), Reason: t.Reason.Text, Bar: decimal(100 * math.Min(1, math.Max(0, t.Share))), Title: pr.Title, Skip: pr.Skip,
	}
	p.Own, p.CPU = ceiling(t)
	for _, n := range t.Notes {
		for _, f := range n.Flow {
			p.Flow = append(p.Flow, f.At.String()+"  "+strings.TrimSpace(f.Text))
		}
	}
	e := extra.Excerpts[t.ID]
	for i, line := range e.Lines {
		p.Lines = append(p.Lines, sourceLine{N: e.First + i, Text: line, Mark: e.First+i == e.Mark})
	}
	return p
}

// A pagePart is one stretch of the bar that shows where the time went.
type pagePart struct {
	Name, Time, Share string
	X, Width          string
	Tone              int
}

func parts(sp model.Split) ([]pagePart, string) {
	if sp.Total <= 0 {
		return nil, ""
	}
	var out []pagePart
	x := 0.0
	for i, p := range split(sp) {
		w := 100 * math.Max(0, p.seconds) / sp.Total
		out = append(out, pagePart{Name: p.name, Time: seconds(p.seconds), Share: share(p.seconds / sp.Total), X: decimal(x), Width: decimal(w), Tone: i})
		x += w
	}
	return out, seconds(sp.Total)
}

// decimal writes a coordinate.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
