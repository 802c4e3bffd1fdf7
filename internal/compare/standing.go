package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/trial"
)

// A regression is one metric that got worse.
type regression struct {
	metric string
	change float64 // relative; +Inf where the base had none
	text   string
}

// bytesShare is the relative rise of B/op that counts where allocs/op stays.
const bytesShare = 0.05

// regressions lists what got worse for certain, the counts first.
func (f finding) regressions() []regression {
	var out []regression
	fewer := false
	for _, e := range f.Counts {
		text := fmt.Sprintf("%s %s → %s", e.Metric, count(e.Before), count(e.After))
		switch {
		case e.Metric == "allocs/op" && e.Rose():
			out = append(out, regression{e.Metric, rise(e.Before, e.After), text})
		case e.Metric == "allocs/op" && e.Fell():
			fewer = true
		case e.Metric == "B/op" && e.Rose() && !fewer && e.After > (1+bytesShare)*e.Before:
			out = append(out, regression{e.Metric, rise(e.Before, e.After), text})
		}
	}
	if v := f.answer.Verdict; f.slower() {
		out = append(out, regression{v.Metric, v.Change, fmt.Sprintf("%s slower by %.1f %%%s", v.Metric, 100*v.Change, interval(v))})
	}
	for _, g := range f.Guards {
		if g.Tripped {
			out = append(out, regression{g.Name, rise(g.Before, g.After), g.Name + " " + g.Detail})
		}
	}
	return out
}

// A finding is what was measured of one benchmark, and by which rules it is to
// be read.
type finding struct {
	*model.Compared
	answer   trial.Answer
	gate     bool
	unpinned bool
	files    bool    // a question about two files: their layouts are theirs
	least    float64 // the smallest slowdown that counts
}

// excluded reports whether a gate's question is answered: no slowdown that
// counts.
func (f finding) excluded() bool { return f.gate && f.answer.FloorExcluded }

// slower reports whether a slowdown was shown that counts. In a gate it is one
// whose estimate counts; a comparison passes over it only where the whole
// interval lies below what counts.
func (f finding) slower() bool {
	v := f.answer.Verdict
	if v.Answer != model.Slower || f.excluded() {
		return false
	}
	if f.gate {
		return v.Change >= f.least
	}
	return v.Hi >= f.least
}

// faster reports whether a gain was shown that is not luck of the layout.
func (f finding) faster() bool {
	return f.answer.Verdict.Answer == model.Faster && (f.files || f.answer.Linked || !trial.NeedsLinks(f.answer.Verdict))
}

// gains lists what got better.
func (f finding) gains() []string {
	var out []string
	if v := f.answer.Verdict; f.faster() {
		out = append(out, fmt.Sprintf("%s faster by %.1f %%%s", v.Metric, -100*v.Change, interval(v)))
	}
	for _, e := range f.Counts {
		if e.Fell() {
			out = append(out, fmt.Sprintf("%s %s → %s", e.Metric, count(e.Before), count(e.After)))
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

// count prints a count per op with the fraction that it has, if any.
func count(x float64) string {
	if math.Abs(x-math.Round(x)) < 0.005 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// interval is the interval of a verdict behind its estimate; nothing where it
// has not two ends yet.
func interval(v model.Verdict) string {
	if v.Lo <= -1 || v.Hi >= 1e5 {
		return ""
	}
	return fmt.Sprintf(" [%+.1f, %+.1f]", 100*v.Lo, 100*v.Hi)
}

// standing says in one word, and in one line, what was found.
func (f finding) standing() (model.Standing, string) {
	v := f.answer.Verdict
	open := v.Answer == model.Undecided && !f.excluded() || v.Answer == model.Slower && f.gate && !f.excluded()
	if bad := f.regressions(); len(bad) > 0 {
		var texts []string
		for _, r := range bad {
			texts = append(texts, r.text)
		}
		return model.Regressed, strings.Join(texts, "; ")
	}
	gains := f.gains()
	switch {
	case f.unpinned:
		return model.Open, "the benchmark itself changed, and the candidate does not compile with the base's: the sides run different work"
	case open && f.answer.Layout:
		where := "one link of each side"
		if f.answer.Linked {
			where = fmt.Sprintf("%d pairs of fresh links", v.Units)
		}
		return model.Open, fmt.Sprintf("not separable from layout: %+.1f %%%s on %s", 100*v.Change, interval(v), where)
	case open:
		return model.Open, fmt.Sprintf("after %d %s %+.1f %%%s is still open", v.Units, unitName(f.answer), 100*v.Change, interval(v))
	case len(gains) > 0:
		return model.Improved, strings.Join(gains, "; ")
	case v.Answer == model.Slower:
		return model.Clean, fmt.Sprintf("slower, but by less than %.1f %%: %+.1f %%%s", 100*f.least, 100*v.Change, interval(v))
	case f.excluded():
		return model.Clean, fmt.Sprintf("a slowdown by %.1f %% or more is excluded", 100*f.least)
	default:
		return model.Clean, fmt.Sprintf("an effect of %.1f %% or more is excluded", 100*f.least)
	}
}

func unitName(a trial.Answer) string {
	if a.Linked {
		return "pairs of fresh links"
	}
	return "duets"
}
