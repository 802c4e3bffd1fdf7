package experiment

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/measure/frontier"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// reason says what to set, and why that.
func reason(sub model.TuningSubject, points []frontier.Point, most float64) string {
	if len(sub.Trials) == 0 {
		return ""
	}
	if sub.Choice < 0 {
		beyond := frontier.Best(points, maxMemory)
		switch {
		case beyond >= 0:
			return fmt.Sprintf("Keep what is set: %s saves time, and takes %.1f times the memory, where %s is the bound (-memory).",
				sub.Trials[beyond].Setting, points[beyond].Memory, multiple(most))
		case slices.ContainsFunc(sub.Trials, func(t model.Tried) bool { return t.Standing == model.Open }):
			return "Keep what is set: nothing that was tried is proven to save time, and not all is decided."
		}
		return "Keep what is set: nothing that was tried saves time."
	}
	t, p := sub.Trials[sub.Choice], points[sub.Choice]
	text := fmt.Sprintf("Set %s: at least %s less time is proven", t.Setting, words.Percent(p.Hi))
	if p.Memory > 0 {
		text += fmt.Sprintf(", for %.2f times the memory (the bound is %s)", p.Memory, multiple(most))
	}
	if len(t.Price) > 0 {
		text += "; it " + strings.Join(t.Price, ", and ")
	}
	return text + "."
}

// maxMemory is a bound that nothing comes to.
const maxMemory = 1e9

func multiple(x float64) string { return fmt.Sprintf("%.4g times", x) }

func cpuFlags() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "flags" {
			return value
		}
	}
	return ""
}
