package attempt

import (
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// decide turns what was measured of a change into an outcome and its reason.
//
//   - Slower is the end of it, and so is a rise of allocs/op.
//   - An allocation win, allocs/op or B/op fell and neither rose (B/op by hardly anything), is
//     kept when a slowdown by more than the layout floor is excluded.
//   - Anything else must be faster, on fresh links of both sides or by more than
//     any layout does: less is not separable from where the linker put the code.
//
// What is neither shown nor refuted is undecided.
func decide(a trial.Answer, counts []model.Exact) (model.Outcome, string) {
	v := a.Verdict
	figures := countsText(counts)
	switch {
	case v.Answer == model.Slower:
		return model.RolledBack, Join(fmt.Sprintf("slower by %s", words.Percent(v.Change)), figures)
	case Rose(counts, "allocs/op"):
		return model.RolledBack, "allocates more: " + figures
	case allocationWin(counts):
		if a.FloorExcluded || v.Answer == model.Faster {
			return model.Kept, Join(figures, speed(a))
		}
		return model.Unsettled, Join("too few runs to rule out a slowdown of more than "+words.Percent(verdict.LayoutFloor), figures)
	case v.Answer == model.Faster && (a.Linked || !verdict.NeedsLinks(v)):
		return model.Kept, Join("faster by "+words.Percent(v.Change), figures)
	case v.Answer == model.Faster:
		return model.Unsettled, Join("faster by "+words.Percent(v.Change)+", not separable from the layout of the code", figures)
	case v.Answer == model.NoEffect:
		return model.RolledBack, Join(noGain(a), figures)
	case a.Layout:
		return model.Unsettled, Join("not separable from the layout of the code", figures)
	default:
		return model.Unsettled, Join(tooLittle(v), figures)
	}
}

// noGain says so, and that one link of each side was slower where it was.
func noGain(a trial.Answer) string {
	if v := a.Verdict; v.Lo > 0 && !a.Linked {
		return "no gain: on one link of each side it is slower by " + words.Percent(v.Change)
	}
	return "no worthwhile effect"
}

// tooLittle says what is missing where nothing is decided.
func tooLittle(v model.Verdict) string {
	if v.Units == 0 {
		return "there was no time to measure it"
	}
	return "too little was measured to tell"
}

// allocationWin reports whether fewer objects or bytes are allocated, and not
// more of either, or hardly more bytes.
func allocationWin(counts []model.Exact) bool {
	return (fell(counts, "allocs/op") || fell(counts, "B/op")) && !Rose(counts, "allocs/op") && (!Rose(counts, "B/op") || hardlyMore(counts))
}

// hardlyMore reports whether the bytes rise by at most a hundredth, and by a tenth of the share by which the objects
// are fewer. A slab does that, as its last objects may stay unused.
func hardlyMore(counts []model.Exact) bool {
	objects, bytes := model.CountOf(counts, "allocs/op"), model.CountOf(counts, "B/op")
	if !objects.Fell() || !bytes.Rose() || bytes.Before <= 0 {
		return false
	}
	more := bytes.After/bytes.Before - 1
	return more <= 0.01 && more <= (1-objects.After/objects.Before)/10
}

func fell(counts []model.Exact, metric string) bool {
	c := model.CountOf(counts, metric)
	return c != nil && (c.Fell() || c.Trend < 0)
}

// Rose reports whether a count is higher with a change, as far as it is exact.
func Rose(counts []model.Exact, metric string) bool {
	c := model.CountOf(counts, metric)
	return c != nil && (c.Rose() || c.Trend > 0)
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
		parts = append(parts, fmt.Sprintf("%s %s → %s", c.Metric, words.Count(c.Before), words.Count(c.After)))
	}
	return strings.Join(parts, ", ")
}

// roughly prints a count that varies: three digits at most behind which it
// would be another in the next run.
func roughly(x float64) string {
	if x < 1000 {
		return fmt.Sprintf("%.3g", x)
	}
	step := math.Pow(10, math.Floor(math.Log10(x))-2)
	return fmt.Sprintf("%.0f", math.Round(x/step)*step)
}

// speed says what is claimed of the time of an allocation win. A gain within
// what the layout of the code can do is no claim about the change.
func speed(a trial.Answer) string {
	v := a.Verdict
	if v.Answer == model.Faster && (a.Linked || !verdict.NeedsLinks(v)) {
		return "faster by " + words.Percent(v.Change)
	}
	return "slowdown above " + words.Percent(verdict.LayoutFloor) + " excluded"
}

// Join joins the parts of a reason that there are.
func Join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "; ")
}
