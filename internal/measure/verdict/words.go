package verdict

import (
	"fmt"
	"math"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// The metrics of a benchmark's time.
const (
	CPU  = "cpu/op"
	Wall = "wall/op"
)

// Metric names what a mode compares.
func Metric(m model.Mode) string {
	if m == model.Alternate {
		return Wall
	}
	return CPU
}

// An advice is what is said of units from a source that do not suffice.
type advice struct {
	unit string // one of them
	few  string // why there are few units, where the effect is clear beside their noise
	// What to try where the effect is small, where there are few units, and
	// where there are too few for a claim.
	quiet, clear, claim string
}

var advices = map[Source]advice{
	Trial: {
		unit: "duet", few: "so few fitted into the budget: other programs are running, or a duet takes long",
		quiet: "a larger budget", clear: "a larger budget", claim: "a larger budget, or fewer benchmarks",
	},
	Files: {
		unit: "unit", few: "the files have few results",
		quiet: "pawl compare with a larger -budget", clear: "pawl compare with a larger -budget", claim: "pawl compare with a larger -budget",
	},
	Load: {
		unit: "unit", few: "so few fitted into the budget",
		quiet: "a larger budget, or longer load runs", clear: "a larger budget, or shorter load runs", claim: "a larger budget",
	},
}

// Open returns a warning that says why the series has no answer to what was
// asked. It returns false where there is one, or where a is taken back.
func (s *Series) Open(a Answer) (model.Warning, bool) {
	if !a.open() || a.Layout && !a.Linked {
		return model.Warning{}, false
	}
	v, from := a.Verdict, advices[s.rules.From]
	noise, after := 100*v.NoiseSD, words.Plural(v.Units, from.unit)
	w := model.Warning{Cause: fmt.Sprintf("the effect is small beside the noise of %.1f %% a %s", noise, from.unit), Try: from.quiet}
	if a.Linked {
		after = Units(v.Units, true)
	}
	w.Seen = "not decided after " + after
	switch {
	case a.Linked:
		w.Seen = "not separable from layout after " + after
		w.Cause = fmt.Sprintf("where the linker puts the code moves this benchmark by %.1f %% a link, and the sides had unrelated orders", noise)
		if a.Ordered {
			w.Cause = fmt.Sprintf("one pair of links differs from the next by %.1f %%, though both sides had their functions in one order", noise)
		}
	case v.Clear():
		w.Cause, w.Try = from.few, from.clear
	}
	switch least := s.rules.Judge.MinUnits(); {
	case a.Lacks != "":
		w.Seen, w.Cause = "not decided after "+after+", though the interval leaves out 0", a.Lacks
		w.Try = from.claim
	case v.Units < least:
		w.Cause = fmt.Sprintf("a verdict needs at least %d, however clear they are", least)
		w.Try = from.claim
	}
	return w, true
}

// byWall is the warning of a benchmark whose time is wall time.
var byWall = model.Warning{
	Seen:  "compared by wall time, in alternating slices",
	Cause: "the benchmark sleeps, does I/O or waits for locks, and CPU time does not show that",
	Try:   "read the interval, not the estimate: its precision is low on a busy machine",
}

// drifted is the warning of units that no single change fits.
func (from Source) drifted(metric string) model.Warning {
	if from == Load {
		return model.Warning{
			Seen:  metric + ": no single difference fits all units: it moved during the run",
			Cause: "caches or data of a program that grow with the requests, or a machine that throttles",
			Try:   "a longer load run, so that the programs are warm for most of it",
		}
	}
	return model.Warning{
		Seen:  "no single difference fits all units: it moved during the trial",
		Cause: "a machine that throttles, or caches that warm up",
		Try:   "another run, on a quieter machine",
	}
}

// Units counts the units of a trial: "12 duets", or of fresh links where the
// trial was linked for each.
func Units(n int, linked bool) string {
	if linked {
		return words.Plural(n, "pair") + " of fresh links"
	}
	return words.Plural(n, "duet")
}

// Interval is the interval of a verdict behind its estimate, in per cent:
// " [−1.0, +2.5]". It is empty where the interval has not two ends yet.
func Interval(v model.Verdict) string {
	if v.Lo <= -1 || v.Hi >= judge.MaxHi {
		return ""
	}
	return words.Minus(fmt.Sprintf(" [%+.1f, %+.1f]", 100*v.Lo, 100*v.Hi))
}

// Count is a count per op with the fraction that it has, if any.
func Count(x float64) string {
	if math.Abs(x-math.Round(x)) < 0.005 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
