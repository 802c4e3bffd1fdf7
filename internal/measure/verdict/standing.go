package verdict

import (
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Evidence is all that was measured of one benchmark, or under one load.
type Evidence struct {
	// Times are the answers of the metrics that are judged. The standing rests on
	// the first; of the others only a slowdown counts. Without any, no more than
	// the counts is known, and they can only show that something got worse.
	Times  []Answer
	Counts []model.Exact
	Guards []model.Guard
	// Metrics are the figures that the benchmark reports itself.
	Metrics []model.Reported
	// Unlike says that the sides run different work, because the benchmark itself
	// changed: only what got worse for certain counts.
	Unlike bool
}

// A Reading is what evidence says.
type Reading struct {
	Standing    model.Standing
	Why         string // in one line
	Regressions []Regression
}

// A Regression is one metric that got worse for certain.
type Regression struct {
	Metric string
	Change float64 // relative; +Inf where the base had none
	text   string
}

// Read says in one word, and in one line, what was found. What got worse for
// certain comes first, then what is open, then what got better.
func (r Rules) Read(e Evidence) Reading {
	out := Reading{Regressions: r.regressions(e)}
	var a Answer
	if len(e.Times) > 0 {
		a = e.Times[0]
	}
	fewer, moved := append(fell(e.Counts), those(e.Metrics, model.Improved)...), tripped(e.Guards)
	untold := those(e.Metrics, model.Open)
	switch {
	case len(out.Regressions) > 0:
		var texts []string
		for _, bad := range out.Regressions {
			texts = append(texts, bad.text)
		}
		out.Standing, out.Why = model.Regressed, strings.Join(texts, "; ")
	case len(e.Times) == 0:
		out.Standing, out.Why = model.Open, strings.Join(append(fewer, "time was not compared"), "; ")
	case e.Unlike:
		out.Standing, out.Why = model.Open, "the benchmark itself changed, and the candidate does not compile with the base's: the sides run different work"
	case len(moved) > 0 && a.Verdict.Answer == model.Faster:
		out.Standing, out.Why = model.Open, fmt.Sprintf("%s, but %s: cost has moved to memory", describe(a.Verdict), GuardText(moved[0]))
	case len(moved) > 0:
		out.Standing, out.Why = model.Open, GuardText(moved[0])+"; "+describe(a.Verdict)
	case r.open(a):
		out.Standing, out.Why = model.Open, strings.Join(append(fewer, r.whyOpen(a)), "; ")
	case len(untold) > 0:
		out.Standing, out.Why = model.Open, strings.Join(append(fewer, untold...), "; ")
	case r.gained(a):
		out.Standing, out.Why = model.Improved, strings.Join(append([]string{describe(a.Verdict)}, fewer...), "; ")
	case len(fewer) > 0:
		out.Standing, out.Why = model.Improved, strings.Join(fewer, "; ")
	default:
		out.Standing, out.Why = model.Clean, r.whyClean(a)
	}
	return out
}

// regressions lists what got worse for certain: the counts, then the times, then
// the guards.
func (r Rules) regressions(e Evidence) []Regression {
	var out []Regression
	fewer := false
	for _, c := range e.Counts {
		switch {
		case c.Metric == Allocs && c.Fell():
			fewer = true
		case c.Metric == Allocs && c.Rose(), c.Metric == Bytes && c.Rose() && !fewer && c.After > (1+BytesShare)*c.Before:
			out = append(out, Regression{c.Metric, rise(c.Before, c.After), CountText(c)})
		}
	}
	for _, a := range e.Times {
		if r.slower(a) {
			out = append(out, Regression{a.Verdict.Metric, a.Verdict.Change, describe(a.Verdict)})
		}
	}
	for _, m := range e.Metrics {
		if m.Standing == model.Regressed {
			out = append(out, Regression{m.Unit, loss(m), m.Why})
		}
	}
	if r.GuardsDoubt {
		return out
	}
	for _, g := range tripped(e.Guards) {
		out = append(out, Regression{g.Name, rise(g.Before, g.After), GuardText(g)})
	}
	return out
}

// slower reports whether a slowdown was shown that counts. In a gate it is one
// whose estimate counts; a comparison passes over it only where the whole
// interval lies below what counts.
func (r Rules) slower(a Answer) bool {
	v, least := a.Verdict, r.Judge.MinEffect
	switch {
	case v.Answer != model.Slower, r.AtFloor && a.FloorExcluded:
		return false
	case r.AtFloor:
		return v.Change >= least
	}
	return r.AnySlowdown || v.Hi >= least
}

// open reports whether the question is open. In a gate a slowdown is, where
// it is not known whether it counts.
func (r Rules) open(a Answer) bool {
	return !a.FloorExcluded && (a.Verdict.Answer == model.Undecided || a.Verdict.Answer == model.Slower && r.AtFloor)
}

// gained reports whether time got better, by more than may be luck of the layout.
func (r Rules) gained(a Answer) bool {
	return a.Verdict.Answer == model.Faster && (r.OwnLayout || a.Linked || !NeedsLinks(a.Verdict))
}

// fell lists the counts that did.
func fell(counts []model.Exact) []string {
	var out []string
	for _, c := range counts {
		if c.Fell() {
			out = append(out, CountText(c))
		}
	}
	return out
}

// those returns why the metrics of one standing have it.
func those(ms []model.Reported, s model.Standing) []string {
	var out []string
	for _, m := range ms {
		if m.Standing == s {
			out = append(out, m.Why)
		}
	}
	return out
}

// loss is how much more a metric costs, relative.
func loss(m model.Reported) float64 {
	before, after := m.Before, m.After
	if m.Verdict != nil {
		before, after = 1, 1+m.Verdict.Change
	}
	if m.Better == string(Higher) {
		before, after = after, before
	}
	return rise(before, after)
}

func tripped(guards []model.Guard) []model.Guard {
	var out []model.Guard
	for _, g := range guards {
		if g.Tripped {
			out = append(out, g)
		}
	}
	return out
}

func rise(before, after float64) float64 {
	if before <= 0 {
		return math.Inf(1)
	}
	return after/before - 1
}

// whyOpen says how far an open question has come.
func (r Rules) whyOpen(a Answer) string {
	v := a.Verdict
	so := words.Signed(v.Change) + Interval(v)
	switch {
	case r.From == Load:
		return fmt.Sprintf("%s is undecided after %d units: %s", v.Metric, v.Units, so)
	case a.Layout && a.Linked:
		return fmt.Sprintf("not separable from layout: %s on %d pairs of fresh links", so, v.Units)
	case a.Layout:
		return fmt.Sprintf("not separable from layout: %s on one link of each side", so)
	case a.Lacks != "":
		return fmt.Sprintf("after %s %s is still open: %s", Units(v.Units, a.Linked), so, a.Lacks)
	}
	return fmt.Sprintf("after %s %s is still open", Units(v.Units, a.Linked), so)
}

// whyClean says what is excluded where nothing is worse.
func (r Rules) whyClean(a Answer) string {
	v, least := a.Verdict, words.Percent(r.Judge.MinEffect)
	switch {
	case r.From == Load && v.Answer == model.NoEffect:
		return describe(v)
	case r.From == Load:
		return fmt.Sprintf("%s: a slowdown of %s or more is excluded", v.Metric, least)
	case v.Answer == model.Slower:
		return fmt.Sprintf("slower, but by less than %s: %s%s", least, words.Signed(v.Change), Interval(v))
	case a.FloorExcluded && (r.AtFloor || v.Answer != model.NoEffect):
		return fmt.Sprintf("a slowdown by %s or more is excluded", least)
	case a.Looked:
		return fmt.Sprintf("an effect of %s or more is excluded, and fresh links show none", least)
	}
	return fmt.Sprintf("an effect of %s or more is excluded", least)
}

// describe says what the verdict on a metric is.
func describe(v model.Verdict) string {
	if claims(v) {
		return fmt.Sprintf("%s %s by %s%s", v.Metric, v.Answer, words.Percent(v.Change), Interval(v))
	}
	return fmt.Sprintf("%s: %s%s", v.Metric, v.Answer, Interval(v))
}

// CountText is a count on both sides: "allocs/op 3 → 4".
func CountText(e model.Exact) string {
	return fmt.Sprintf("%s %s → %s", e.Metric, Count(e.Before), Count(e.After))
}

// PeakRSS is the name of the guard on the memory of a whole program.
const PeakRSS = "peak RSS"

// GuardText says what a guard that tripped has seen.
func GuardText(g model.Guard) string {
	if g.Name == PeakRSS {
		return fmt.Sprintf("the peak resident set rose from %.1f to %.1f MiB", g.Before/(1<<20), g.After/(1<<20))
	}
	return g.Name + " " + g.Detail
}
