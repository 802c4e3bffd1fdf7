package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// minus is the sign that is as wide as a plus; Options.ASCII turns it into a
// hyphen.
const minus = "−"

// open reports whether x stands for the end of an interval that has none, or
// for no figure at all. Infinity is kept on disk as the largest float64.
func open(x float64) bool { return math.IsNaN(x) || math.Abs(x) > math.MaxFloat64/2 }

// three formats x, which is not negative, with three significant digits and no
// exponent.
func three(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.0995:
		return fmt.Sprintf("%.3f", x)
	case x < 9.995:
		return fmt.Sprintf("%.2f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// scaled formats x in the largest of the units that it fills. Each unit is
// step times the one before it.
func scaled(x, step float64, units ...string) string {
	if open(x) {
		return "?"
	}
	sign := ""
	if x < 0 {
		sign, x = minus, -x
	}
	i := 0
	// What rounds to the next unit is written in it: 999.7 ns is 1.00 µs.
	for i < len(units)-1 && x >= step-0.5 {
		x /= step
		i++
	}
	return sign + three(x) + " " + units[i]
}

// nanoseconds formats a time per op.
func nanoseconds(x float64) string { return scaled(x, 1000, "ns", "µs", "ms", "s") }

// size formats a number of bytes. Below one KiB whole bytes are enough: "2 B",
// not "2.00 B".
func size(x float64) string {
	if r := math.Round(x); math.Abs(x-r) < 0.05 && math.Abs(r) < 1024 {
		return signed(r) + " B"
	}
	return scaled(x, 1024, "B", "KiB", "MiB", "GiB")
}

// count formats a number of objects, with its fraction when it has one: 0.97
// is neither 0 nor 1.
func count(x float64) string {
	if open(x) {
		return "?"
	}
	if r := math.Round(x); math.Abs(x-r) < 0.005 {
		return signed(r)
	}
	return strings.Replace(fmt.Sprintf("%.2f", x), "-", minus, 1)
}

// signed writes a whole number with the minus sign.
func signed(x float64) string {
	if x == 0 {
		return "0" // and not "-0"
	}
	return strings.Replace(fmt.Sprintf("%.0f", x), "-", minus, 1)
}

// percent formats a relative change with its sign, without the unit: "−18.2".
func percent(x float64) string {
	switch {
	case math.IsNaN(x):
		return "?"
	case open(x) && x > 0:
		return "+∞"
	case open(x):
		return minus + "∞"
	}
	digits := 1
	if math.Abs(x) >= 9.995 {
		digits = 0
	}
	s := fmt.Sprintf("%+.*f", digits, 100*x)
	if strings.Trim(s, "+-0.") == "" {
		return strings.TrimLeft(s, "+-")
	}
	return strings.Replace(s, "-", minus, 1)
}

// change formats a relative change with its unit: "−18.2 %".
func change(x float64) string { return percent(x) + " %" }

// share formats a part of a whole: "20 %", and "4.1 %" where a digit behind
// the point matters.
func share(x float64) string {
	switch {
	case open(x):
		return "?"
	case x > 0 && x < 0.0005:
		return "< 0.1 %"
	case x < 0.0995 && x > 0:
		return fmt.Sprintf("%.1f %%", 100*x)
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}

// seconds formats how long something took or will take.
func seconds(s float64) string {
	switch {
	case open(s):
		return "?"
	case s < 9.95:
		return fmt.Sprintf("%.1f s", s)
	case s < 59.5:
		return fmt.Sprintf("%.0f s", s)
	case s < 3570:
		whole := int(math.Round(s))
		return fmt.Sprintf("%d min %d s", whole/60, whole%60)
	}
	whole := int(math.Round(s / 60))
	return fmt.Sprintf("%d h %d min", whole/60, whole%60)
}

// about formats an estimate, which has no seconds worth naming.
func about(s float64) string {
	switch {
	case s < 10:
		return "under 10 s"
	case s < 55:
		return fmt.Sprintf("about %.0f s", 10*math.Ceil(s/10))
	case s < 3570:
		return fmt.Sprintf("about %.0f min", math.Max(1, math.Round(s/60)))
	}
	return fmt.Sprintf("about %.1f h", s/3600)
}

// metricName is a metric in words: "cpu/op" is CPU time.
func metricName(metric string) string {
	switch metric {
	case "cpu/op":
		return "CPU time"
	case "wall/op":
		return "wall time"
	}
	return metric
}

// metricShort is a metric without the "/op" that follows every one of them.
func metricShort(metric string) string { return strings.TrimSuffix(metric, "/op") }

// amount formats a quantity of a resource per op.
func amount(r model.Resource, x float64) string {
	switch r {
	case model.CPU, model.Mutex:
		return nanoseconds(x)
	case model.Bytes:
		return size(x)
	}
	if x > 0 && x < 0.01 {
		return three(x) + " allocs" // rare, and not none
	}
	return plural(x, "alloc")
}

// exact formats one side of an exact count.
func exact(metric string, x float64) string {
	if metric == "allocs/op" {
		return count(x)
	}
	return size(x)
}

func plural(x float64, noun string) string {
	if math.Abs(x-1) < 0.005 {
		return "1 " + noun
	}
	return count(x) + " " + noun + "s"
}

func number(n int, noun string) string { return plural(float64(n), noun) }
