package loop

import (
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/trial"
)

// decide turns what was measured of a change into an outcome and its reason.
//
//   - Slower is the end of it, and so is a rise of allocs/op.
//   - An allocation win, allocs/op or B/op fell and neither rose, is kept when
//     a slowdown by more than the layout floor is excluded.
//   - Anything else must be faster, on fresh links of both sides or by more than
//     any layout does: less is not separable from where the linker put the code.
func decide(a trial.Answer, counts []model.Exact) (model.Outcome, string) {
	v := a.Verdict
	figures := countsText(counts)
	switch {
	case v.Answer == model.Slower:
		return model.RolledBack, join(fmt.Sprintf("slower by %s", percent(v.Change)), figures)
	case rose(counts, "allocs/op"):
		return model.RolledBack, "allocates more: " + figures
	case allocationWin(counts):
		if a.FloorExcluded || v.Answer == model.Faster {
			return model.Kept, join(figures, speed(a))
		}
		return model.RolledBack, join("a slowdown of more than "+percent(trial.LayoutFloor)+" is not excluded", figures)
	case v.Answer == model.Faster && (a.Linked || !trial.NeedsLinks(v)):
		return model.Kept, join("faster by "+percent(v.Change), figures)
	case v.Answer == model.Faster:
		return model.RolledBack, join("faster by "+percent(v.Change)+", not separable from the layout of the code", figures)
	case v.Answer == model.NoEffect:
		return model.RolledBack, join("no worthwhile effect", figures)
	case a.Layout:
		return model.RolledBack, join("not separable from the layout of the code", figures)
	default:
		return model.RolledBack, join("undecided", figures)
	}
}

// allocationWin reports whether fewer objects or bytes are allocated, and not
// more of either.
func allocationWin(counts []model.Exact) bool {
	return (fell(counts, "allocs/op") || fell(counts, "B/op")) && !rose(counts, "allocs/op") && !rose(counts, "B/op")
}

func fell(counts []model.Exact, metric string) bool {
	c := count(counts, metric)
	return c != nil && (c.Fell() || c.Trend < 0)
}

func rose(counts []model.Exact, metric string) bool {
	c := count(counts, metric)
	return c != nil && (c.Rose() || c.Trend > 0)
}

func count(counts []model.Exact, metric string) *model.Exact {
	for i := range counts {
		if counts[i].Metric == metric {
			return &counts[i]
		}
	}
	return nil
}

func countsText(counts []model.Exact) string {
	var parts []string
	for _, c := range counts {
		if c.Trend != 0 {
			parts = append(parts, fmt.Sprintf("%s about %s → %s, which varies", c.Metric, roughly(c.Before), roughly(c.After)))
		}
		if c.Noisy || c.Equal() {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s → %s", c.Metric, number(c.Before), number(c.After)))
	}
	return strings.Join(parts, ", ")
}

// roughly prints a count that varies: three digits at the most behind which it
// would be another in the next run.
func roughly(x float64) string {
	if x < 1000 {
		return fmt.Sprintf("%.3g", x)
	}
	step := math.Pow(10, math.Floor(math.Log10(x))-2)
	return fmt.Sprintf("%.0f", math.Round(x/step)*step)
}

// number prints a count with as many decimals as it has, up to two.
func number(x float64) string {
	if r := math.Round(x); math.Abs(x-r) < 0.005 {
		return fmt.Sprintf("%.0f", r)
	}
	return fmt.Sprintf("%.2f", x)
}

// speed says of an allocation win what is claimed of its time. A gain within
// what the layout of the code can do is no claim about the change.
func speed(a trial.Answer) string {
	v := a.Verdict
	if v.Answer == model.Faster && (a.Linked || !trial.NeedsLinks(v)) {
		return "faster by " + percent(v.Change)
	}
	return "slowdown above " + percent(trial.LayoutFloor) + " excluded"
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*math.Abs(x)) }

func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "; ")
}
