package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Boundless is an end that is not known: the judge cuts it to a million.
const Boundless = 1e5

// Ends are those of the interval of a verdict, each with the unit; one that is
// not known is open.
func Ends(v model.Verdict, unit string) (lo, hi string) {
	lo, hi = "open", "open"
	if v.Lo > -1 && !words.Unbounded(v.Lo) {
		lo = Percent(v.Lo) + unit
	}
	if v.Hi < Boundless && !words.Unbounded(v.Hi) {
		hi = Percent(v.Hi) + unit
	}
	return lo, hi
}

// Bounds is the interval of a verdict.
func Bounds(v model.Verdict) string {
	lo, hi := Ends(v, "")
	if lo == "open" && hi == "open" {
		return "interval open"
	}
	return "[" + lo + ", " + hi + "] %"
}

// BoundsAfter is the interval of a verdict with its level, after so many units.
func BoundsAfter(v model.Verdict, units string) string {
	b := Bounds(v)
	if !strings.HasPrefix(b, "[") {
		return b + " after " + units
	}
	return b + ", " + Share(v.Level) + " interval after " + units
}

// Guard formats one side of a guard.
func Guard(unit string, x float64) string {
	switch {
	case words.Unbounded(x):
		return "?"
	case unit == "B":
		return words.Bytes(x)
	case strings.HasPrefix(unit, "ns"):
		return words.Nanoseconds(x)
	}
	return strings.TrimSpace(words.Count(x) + " " + unit)
}

// Solo is the confirmation under stock conditions, in words. A few runs of wall
// time have a range, and no figure that could stand for them.
func Solo(s *model.Solo) string {
	if s == nil || len(s.WallBefore) == 0 {
		return ""
	}
	t := fmt.Sprintf("wall time %s, GOMAXPROCS %d", wallRange(s), s.Procs)
	if lo, hi := s.WallRange(); lo < 0 && hi > 0 {
		t += ": no clear difference"
	}
	return t
}

// wallRange is what the pairs of stock runs say of wall time: "−37 to −12 % in 5
// pairs".
func wallRange(s *model.Solo) string {
	lo, hi := s.WallRange()
	return Percent(lo) + " to " + Change(hi) + " in " + words.Plural(len(s.WallBefore), "pair")
}

// Known reports whether a verdict rests on anything.
func Known(v model.Verdict) bool { return v.Units > 0 || v.Lo > -1 || v.Hi < Boundless }

// Estimate is the figure of a verdict, and its interval.
func Estimate(v model.Verdict) string {
	if !Known(v) {
		return MetricShort(v.Metric) + " not measured"
	}
	return MetricShort(v.Metric) + " " + Change(v.Change) + " " + Bounds(v)
}

// Stands says what the judge answered, and after how much.
func Stands(v model.Verdict) string {
	t := fmt.Sprintf("%s after %s", v.Answer, Units(v))
	if why := OpenStill(v); why != "" {
		t += ": " + why
	}
	return t
}

// OpenStill says why a claim is open whose interval excludes zero; "" where that
// is not so.
func OpenStill(v model.Verdict) string {
	layout := func(w model.Warning) bool {
		return !v.Links && strings.HasPrefix(w.Seen, "not separable from layout: ")
	}
	if v.Answer != model.Undecided || !Known(v) || v.Hi >= 0 && v.Lo <= 0 || slices.ContainsFunc(v.Warnings, layout) {
		return ""
	}
	return "the interval is that of one comparison, and a claim among several needs more"
}

// Sees is the smallest difference that can be told apart from noise, for each
// benchmark where there are few, and else the range.
func Sees(noise []model.Noise) string {
	switch n := len(noise); {
	case n == 0:
		return ""
	case n == 1:
		return Share(noise[0].Sees) + " or more"
	case n <= 3:
		var parts []string
		for _, x := range noise {
			parts = append(parts, Share(x.Sees)+" or more in "+x.Benchmark.String())
		}
		return strings.Join(parts, ", ")
	default:
		lo, hi := noise[0].Sees, noise[0].Sees
		for _, x := range noise {
			lo, hi = min(lo, x.Sees), max(hi, x.Sees)
		}
		return Share(lo) + " or more in the quietest of " + strconv.Itoa(n) + " benchmarks, " + Share(hi) + " in the noisiest"
	}
}

// Level is the heading of the column of intervals. It is rounded down: of many benchmarks each has more than 99 %, and none 100 %.
func Level(v *model.Verdict) string {
	if v == nil || v.Level == 0 {
		return ""
	}
	return strconv.FormatFloat(math.Floor(1000*v.Level+1e-6)/10, 'f', -1, 64) + " % interval"
}

// Answer is a verdict in words, without its figures' units of measure left to
// guess: "46.5 % less CPU time".
func Answer(v model.Verdict) string {
	metric := Metric(v.Metric)
	size := strings.TrimLeft(Percent(v.Change), "+"+Minus) + " %"
	switch v.Answer {
	case model.Faster:
		return size + " less " + metric
	case model.Slower:
		return size + " more " + metric
	case model.NoEffect:
		return "no worthwhile effect on " + metric
	}
	return metric + " undecided"
}

// Units is what a verdict rests on: duets, pairs of fresh links, or pairs of
// slices where the two sides took turns.
func Units(v model.Verdict) string {
	if v.Links {
		return words.Plural(v.Units, "link")
	}
	if v.Metric == "wall/op" {
		return words.Plural(v.Units, "pair")
	}
	return words.Plural(v.Units, "duet")
}
