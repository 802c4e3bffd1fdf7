package runs

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/report/page/code"
	"github.com/pawl-dev/pawl/internal/report/page/flame"
	"github.com/pawl-dev/pawl/internal/report/page/plot"
)

// A pageAttempt is one change that was tried.
type pageAttempt struct {
	N       int
	Alone   bool // no other was tried
	Sure    bool // kept, and compared
	Outcome string
	Title   string
	Idea    string
	Reason  string

	// What was measured.
	Figure   string // of the verdict, with its interval
	Answer   string
	Picture  *plot.Picture
	Evidence *plot.Evidence
	Solo     string
	Counts   []string
	Flames   []flame.View // before and after

	Whys    []pageWhy   // why it was tried
	Sources []code.View // the same in the source
	Diff    code.Diff

	// What was looked at besides.
	Checks      []pageCheck
	Behaviour   []behaviourGroup
	Guards      []page.Guard
	Obligations []model.Obligation
	Retains     string
	Commit      string
	Warnings    []model.Warning
}

// A pageWhy is a line that a change aimed at, and why it costs.
type pageWhy struct{ Place, Share, Reason string }

// newWhys returns the lines that a change aimed at whose reason is known, once
// each: several benchmarks may have the same.
func newWhys(targets []model.Target) []pageWhy {
	var out []pageWhy
	for _, t := range targets {
		w := pageWhy{t.At.File + ":" + strconv.Itoa(t.At.Line), figure.Share(t.Share) + " of " + string(t.Resource), t.Reason.Text}
		same := func(o pageWhy) bool { return o.Place == w.Place && o.Reason == w.Reason }
		if w.Reason != "" && !slices.ContainsFunc(out, same) {
			out = append(out, w)
		}
	}
	return out
}

// A pageCheck is one thing that was checked, and its sign.
type pageCheck struct{ Sign, Name, Detail string }

func newAttempt(n int, a model.Attempt, sc plot.Scale, many bool, extra Extra, b page.Bounds) pageAttempt {
	p := pageAttempt{
		N: n, Sure: a.Outcome == model.Kept, Outcome: outcomeWord(a.Outcome), Title: a.Change.Title, Idea: a.Change.Hypothesis,
		Reason: a.Reason, Solo: figure.Solo(a.Solo), Obligations: a.Change.Obligations, Retains: a.Change.Retains,
		Diff: code.NewDiff(a.Diff, b.Diff), Commit: a.Commit, Warnings: a.Warnings, Behaviour: behaviourGroups(a),
		Checks: pageChecks(a.Checks), Guards: page.Guards(a.Guards), Whys: newWhys(a.Change.Targets),
	}
	if len(a.Verdicts) > 0 {
		v := a.Verdicts[0]
		p.Figure, p.Answer = figures(a, many), figure.Stands(v)
		if figure.Known(v) {
			p.Picture, p.Evidence = sc.Draw(v), plot.NewEvidence(v, -extra.MinEffect)
		}
	}
	for _, c := range a.Counts {
		if !c.Noisy && !c.Equal() {
			p.Counts = append(p.Counts, fmt.Sprintf("%s %s → %s", c.Metric, figure.Exact(c.Metric, c.Before), figure.Exact(c.Metric, c.After)))
		}
	}
	if b.Flames > 1 {
		p.Flames = flame.New(extra.Steps[a.Change.ID], fmt.Sprintf("flame-%d", n), len(extra.Flames), extra.graphs())
	}
	for _, e := range extra.Tried[a.Change.ID] {
		p.Sources = append(p.Sources, code.NewView(e))
	}
	return p
}

func pageChecks(checks []model.Check) []pageCheck {
	var out []pageCheck
	for _, c := range checks {
		switch {
		case c.Skipped != "":
			out = append(out, pageCheck{"–", c.Name, "skipped: " + c.Skipped})
		case c.OK:
			out = append(out, pageCheck{"✓", c.Name, ""})
		default:
			out = append(out, pageCheck{"✗", c.Name, c.Detail})
		}
	}
	return out
}

// A behaviourGroup is what was seen of one kind, under its name.
type behaviourGroup struct {
	Name  string
	Lines []pageCheck
}

// behaviourGroups is what the guard saw of an attempt beyond its checks.
func behaviourGroups(a model.Attempt) []behaviourGroup {
	var out []behaviourGroup
	add := func(name string, lines []pageCheck) {
		if len(lines) > 0 {
			out = append(out, behaviourGroup{name, lines})
		}
	}
	add("side by side", drivenLines(a))
	var lines []pageCheck
	for _, u := range a.Uncompared {
		lines = append(lines, pageCheck{"–", u, ""})
	}
	add("not compared", lines)
	lines = nil
	for _, x := range a.Suspicions {
		if allowed(a, x) {
			lines = append(lines, pageCheck{"!", "allowed: " + suspicion(x), ""})
		} else {
			lines = append(lines, pageCheck{"✗", suspicion(x) + advice(x), ""})
		}
	}
	add("looks odd", lines)
	lines = nil
	for _, st := range a.States {
		lines = append(lines, pageCheck{"!", state(st), ""})
	}
	add("new state", lines)
	if t := worth(a.Worth); t != "" {
		add("worth", []pageCheck{{"", t, ""}})
	}
	return out
}

// drivenLines is what running old and new code on the same inputs showed.
func drivenLines(a model.Attempt) []pageCheck {
	var lines []pageCheck
	if t := behaviour(a); t != "" {
		sign := ""
		if !a.Compared() {
			sign = "–"
		}
		lines = append(lines, pageCheck{sign, t, ""})
	}
	for _, d := range a.Driven {
		sign := "✓"
		switch {
		case !d.OK():
			sign = "✗"
		case d.Skipped != "":
			sign = "–"
		}
		lines = append(lines, pageCheck{sign, symbol(d.Func) + ": " + driven(d), ""})
		for _, x := range d.Differences {
			lines = append(lines, pageCheck{"", "", difference(x)})
		}
		if t := fresh(d.Fresh); t != "" {
			lines = append(lines, pageCheck{"!", t, ""})
		}
	}
	return lines
}
