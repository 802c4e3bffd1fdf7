package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Unbounded reports whether x stands for the end of an interval that has none, or
// for no figure at all. Infinity is kept on disk as the largest float64.
func Unbounded(x float64) bool { return math.IsNaN(x) || math.Abs(x) > math.MaxFloat64/2 }

// Three formats x, which is not negative, with three significant digits and no
// exponent: "0.012", "1.20", "12.0", "120".
func Three(x float64) string {
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
	if Unbounded(x) {
		return "?"
	}
	sign := ""
	if x < 0 {
		sign, x = "−", -x
	}
	i := 0
	// What rounds to the next unit is written in it: 999.7 ns is 1.00 µs.
	for i < len(units)-1 && x >= step-0.5 {
		x /= step
		i++
	}
	return sign + Three(x) + " " + units[i]
}

// Nanoseconds formats a time in ns, in the unit that suits it: 1500 is
// "1.50 µs".
//
//go:noinline
func Nanoseconds(x float64) string { return scaled(x, 1000, "ns", "µs", "ms", "s") }

// Bytes formats a number of bytes: 1536 is "1.50 KiB". Below one KiB whole bytes
// are enough: "2 B", not "2.00 B".
func Bytes(x float64) string {
	if r := math.Round(x); math.Abs(x-r) < 0.05 && math.Abs(r) < 1024 {
		return Whole(r) + " B"
	}
	return scaled(x, 1024, "B", "KiB", "MiB", "GiB")
}

// Count formats a number of objects, with its fraction when it has one: 0.97
// is neither 0 nor 1.
func Count(x float64) string {
	if Unbounded(x) {
		return "?"
	}
	if r := math.Round(x); math.Abs(x-r) < 0.005 {
		return Whole(r)
	}
	return Minus(fmt.Sprintf("%.2f", x))
}

// Whole formats the nearest whole number, with the minus sign: "−64".
func Whole(x float64) string {
	if x == 0 {
		return "0" // and not "-0"
	}
	return Minus(fmt.Sprintf("%.0f", x))
}

// Seconds formats how long something took or will take, in s: 262 is
// "4 min 22 s".
func Seconds(s float64) string {
	switch {
	case Unbounded(s):
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

// Duration returns a time without the parts that are zero: "3m", not "3m0s".
func Duration(d time.Duration) string {
	t := d.String()
	if strings.HasSuffix(t, "m0s") {
		t = strings.TrimSuffix(t, "0s")
	}
	if strings.HasSuffix(t, "h0m") {
		t = strings.TrimSuffix(t, "0m")
	}
	return t
}

// About formats an estimate in s, which has no seconds worth naming: 176 is
// "about 3 min".
func About(s float64) string {
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

// Plain formats a number of whatever unit with six digits: 17.0313, 680,168. It has
// an exponent only where it is very small or very large.
func Plain(x float64) string {
	if a := math.Abs(x); a >= 1e4 && a < 1e15 {
		return Minus(Grouped(math.Round(x)))
	}
	return Minus(strconv.FormatFloat(x, 'g', 6, 64))
}
