package runs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// shownSteps is how many steps are named.
const shownSteps = 5

// longestSteps names the steps that took longest, and how long.
func longestSteps(steps []model.Step) string {
	steps = slices.DeleteFunc(slices.Clone(steps), func(x model.Step) bool { return x.Seconds < 1 })
	sorted.By(steps, func(a, b model.Step) int { return cmp.Compare(b.Seconds, a.Seconds) })
	var parts []string
	for _, x := range steps[:min(len(steps), shownSteps)] {
		parts = append(parts, x.Name+" "+words.Seconds(x.Seconds))
	}
	if len(parts) == 0 {
		return ""
	}
	return " Longest: " + strings.Join(parts, ", ") + "."
}

// allSteps are the stages of a run, with those of its attempts in place of the
// attempts.
func allSteps(r *model.Run) []model.Step {
	out := slices.DeleteFunc(slices.Clone(r.Steps), func(x model.Step) bool { return x.Name == "trying" })
	for _, a := range r.Attempts {
		for _, x := range a.Steps {
			out = model.AddStep(out, x)
		}
	}
	return out
}
