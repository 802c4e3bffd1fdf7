package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl/internal/model"
)

// A pageAttempt is one change that was tried.
type pageAttempt struct {
	N       int
	Kept    bool
	Outcome string
	Title   string
	Idea    string
	Reason  string

	// What was measured.
	Figure   string // of the verdict, with its interval
	Answer   string
	Picture  *picture
	Evidence *evidence
	Solo     string
	Counts   []string
	Flames   []flameView // before and after

	Whys    []pageWhy    // why it was tried
	Sources []pageSource // the same in the source
	Diff    pageDiff

	// What was looked at besides.
	Checks      []pageCheck
	Behaviour   []behaviourGroup
	Guards      []pageGuard
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
		w := pageWhy{t.At.File + ":" + strconv.Itoa(t.At.Line), share(t.Share) + " of " + string(t.Resource), t.Reason.Text}
		same := func(o pageWhy) bool { return o.Place == w.Place && o.Reason == w.Reason }
		if w.Reason != "" && !slices.ContainsFunc(out, same) {
			out = append(out, w)
		}
	}
	return out
}

// A pageCheck is one thing that was checked, and its sign.
type pageCheck struct{ Sign, Name, Detail string }

// A pageGuard is a figure that must not get worse.
type pageGuard struct {
	Name, Before, After, Detail string
	Tripped                     bool
}

func newAttempt(n int, a model.Attempt, sc scale, many bool, extra Extra, b bounded) pageAttempt {
	p := pageAttempt{
		N: n, Kept: a.Outcome == model.Kept, Outcome: string(a.Outcome), Title: a.Change.Title, Idea: a.Change.Hypothesis,
		Reason: a.Reason, Solo: solo(a.Solo), Obligations: a.Change.Obligations, Retains: a.Change.Retains,
		Diff: newDiff(a.Diff, b.diff), Commit: a.Commit, Warnings: a.Warnings, Behaviour: behaviourGroups(a),
		Checks: pageChecks(a.Checks), Guards: pageGuards(a.Guards), Whys: newWhys(a.Change.Targets),
	}
	if len(a.Verdicts) > 0 {
		v := a.Verdicts[0]
		only := a
		only.Solo = nil
		p.Figure, p.Answer, p.Picture = figures(only, many), fmt.Sprintf("%s after %s", v.Answer, units(v)), sc.draw(v)
		p.Evidence = newEvidence(v, -extra.MinEffect)
	}
	for _, c := range a.Counts {
		if !c.Noisy && !c.Equal() {
			p.Counts = append(p.Counts, fmt.Sprintf("%s %s → %s", c.Metric, exact(c.Metric, c.Before), exact(c.Metric, c.After)))
		}
	}
	if b.flames > 1 {
		p.Flames = newFlames(extra.Steps[a.Change.ID], fmt.Sprintf("flame-%d", n), len(extra.Flames), extra.graphs())
	}
	for _, e := range extra.Tried[a.Change.ID] {
		p.Sources = append(p.Sources, newSource(e))
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

func pageGuards(guards []model.Guard) []pageGuard {
	var out []pageGuard
	for _, g := range guards {
		if g.Skipped != "" {
			out = append(out, pageGuard{Name: g.Name, Detail: "not measured: " + g.Skipped})
			continue
		}
		out = append(out, pageGuard{
			Name: g.Name, Before: guardFigure(g.Unit, g.Before), After: guardFigure(g.Unit, g.After), Detail: g.Detail, Tripped: g.Tripped,
		})
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
		if !sideBySide(a) {
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
