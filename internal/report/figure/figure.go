package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Chosen formats a percentage that somebody chose: "5 %", "2.5 %".
func Chosen(x float64) string {
	if words.Unbounded(x) {
		return "?"
	}
	return strconv.FormatFloat(math.Round(1e6*100*x)/1e6, 'f', -1, 64) + " %"
}

// Quantity formats an amount of a profile.
func Quantity(unit string, x float64) string {
	switch unit {
	case "ns":
		return words.Nanoseconds(x)
	case "bytes":
		return words.Bytes(x)
	case "goroutines":
		return words.Counted(x, "goroutine")
	}
	return words.Grouped(x) + " " + unit
}

// Minus is the sign that is as wide as a plus; Options.ASCII turns it into a
// hyphen.
const Minus = "−"

// Percent formats a relative change with its sign, without the unit: "−18.2".
func Percent(x float64) string {
	switch {
	case math.IsNaN(x):
		return "?"
	case words.Unbounded(x) && x > 0:
		return "+∞"
	case words.Unbounded(x):
		return Minus + "∞"
	}
	digits := 1
	if math.Abs(x) >= 9.995 {
		digits = 0
	}
	s := fmt.Sprintf("%+.*f", digits, 100*x)
	if strings.Trim(s, "+-0.") == "" {
		return strings.TrimLeft(s, "+-")
	}
	return words.Minus(s)
}

// Change formats a relative change with its unit: "−18.2 %".
func Change(x float64) string { return Percent(x) + " %" }

// Share formats a part of a whole: "20 %", and "4.1 %" where a digit behind
// the point matters.
func Share(x float64) string {
	switch {
	case words.Unbounded(x):
		return "?"
	case x > 0 && x < 0.0005:
		return "< 0.1 %"
	case x < 0.0995 && x > 0:
		return fmt.Sprintf("%.1f %%", 100*x)
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

// Metric is a metric in words: "cpu/op" is CPU time.
func Metric(metric string) string {
	switch metric {
	case "cpu/op":
		return "CPU time"
	case "wall/op":
		return "wall time"
	}
	return metric
}

// MetricShort is a metric without the "/op" that follows every one of them.
func MetricShort(metric string) string { return strings.TrimSuffix(metric, "/op") }

// Amount formats a quantity of a resource per op.
func Amount(r model.Resource, x float64) string {
	switch r {
	case model.CPU, model.Mutex:
		return words.Nanoseconds(x)
	case model.Bytes:
		return words.Bytes(x)
	}
	if x > 0 && x < 0.01 {
		return words.Three(x) + " allocs" // rare, and not none
	}
	return Plural(x, "alloc")
}

// Exact formats one side of an exact count.
func Exact(metric string, x float64) string {
	if metric == "allocs/op" {
		return words.Count(x)
	}
	return words.Bytes(x)
}

// Plural formats a count that may have a fraction, with its noun.
func Plural(x float64, noun string) string {
	if math.Abs(x-1) < 0.005 {
		return "1 " + noun
	}
	return words.Count(x) + " " + noun + "s"
}
