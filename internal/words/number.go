// Package words writes numbers and texts as a person reads them. It makes a
// piece of a sentence from a number, or from a text that is too long or too
// plain. Every package that writes for people takes its words from here, so
// that the same number reads the same everywhere. What depends on what is
// measured stays where it is measured: this package knows no benchmark and no
// verdict.
package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Plural returns n with its noun, which takes an s unless n is 1: "1 sample",
// "0 samples".
//
//go:noinline
func Plural(n int, noun string) string { return Inflect(n, noun, noun+"s") }

// Inflect returns n with the words that follow it: one where n is 1, and many
// otherwise. So a verb can agree too: "1 function has", "3 functions have".
func Inflect(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Grouped returns the whole part of n with commas between its thousands:
// 41023 is "41,023".
func Grouped[N int | int64 | float64](n N) string {
	t, sign := strconv.FormatInt(int64(n), 10), ""
	if t[0] == '-' {
		t, sign = t[1:], "-"
	}
	for i := len(t) - 3; i > 0; i -= 3 {
		t = t[:i] + "," + t[i:]
	}
	return sign + t
}

// Counted is Plural for numbers that may be large: "1 wait", "1,234 waits".
func Counted[N int | int64 | float64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Grouped(n) + " " + noun + "s"
}

// Times returns how often something happened: "once", "2 times".
func Times(n int) string {
	if n == 1 {
		return "once"
	}
	return Grouped(n) + " times"
}

// Percent returns the size of a fraction in per cent, without its sign: −0.0123
// is "1.2 %".
func Percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*math.Abs(x)) }

// Signed returns a relative change in per cent, with its sign: −0.01 is
// "−1.0 %".
func Signed(x float64) string { return Minus(fmt.Sprintf("%+.1f %%", 100*x)) }

// Minus returns a text of numbers with the minus sign, which is as wide as a
// plus, in place of each hyphen: "[-1.0, +2.5]" is "[−1.0, +2.5]".
func Minus(s string) string { return strings.ReplaceAll(s, "-", "−") }
