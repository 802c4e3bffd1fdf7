package results

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
)

// The units that testing and pawl print, tidied.
const (
	wallUnit   = "sec/op"
	cpuUnit    = "cpu-sec/op"
	bytesUnit  = verdict.Bytes
	allocsUnit = verdict.Allocs
	speedUnit  = "B/s"
)

func isTime(unit string) bool  { return unit == wallUnit || unit == cpuUnit }
func isCount(unit string) bool { return unit == bytesUnit || unit == allocsUnit }

// directions says which way of a unit is better, as far as that is known: from the
// user, from "Unit" lines of the files, for the units of testing from benchfmt, for
// cpu-ns/op because it is pawl's, and for those that everybody reads alike.
type directions struct {
	meta  benchfmt.UnitMetadataMap
	given verdict.Directions
}

// better is −1 where less is better, +1 where more is, and 0 where the
// direction is not known.
func (d directions) better(unit string) int {
	for u, b := range d.given {
		if _, tidied := benchunit.Tidy(1, u); u == unit || tidied == unit {
			return sign(b)
		}
	}
	if b := d.meta.GetBetter(unit); b != 0 {
		return b
	}
	if unit == cpuUnit {
		return -1
	}
	return sign(verdict.Directions(nil).Of(unit))
}

func sign(b verdict.Better) int {
	switch b {
	case verdict.Lower:
		return -1
	case verdict.Higher:
		return 1
	}
	return 0
}

// ignored reports whether the user leaves a unit out.
func (d directions) ignored(unit string) bool {
	for u, b := range d.given {
		if _, tidied := benchunit.Tidy(1, u); b == verdict.Ignored && (u == unit || tidied == unit) {
			return true
		}
	}
	return false
}

// clocked reports whether a figure is, by its unit, one that a clock gave: that it
// repeats in a few runs does not show that it does not vary.
func clocked(unit string) bool {
	head, per, _ := strings.Cut(unit, "/")
	return per == "s" || per == "sec" || strings.HasSuffix(head, "sec") || strings.HasSuffix(head, "ns") || strings.HasSuffix(head, "ms")
}

// exact reports whether a file says that the unit does not vary.
func (d directions) exact(unit string) bool {
	m := d.meta.Get(unit, "assume")
	return m != nil && m.Value == "exact"
}

// show formats a value with its unit.
func show(x float64, unit string) string {
	switch {
	case isTime(unit):
		return duration(x)
	case unit == allocsUnit:
		return verdict.Count(x)
	case strings.HasPrefix(unit, "B"):
		return benchunit.Scale(x, benchunit.Binary) + strings.TrimSuffix(unit, "/op")
	case math.Abs(x) < 1e4:
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return benchunit.Scale(x, benchunit.ClassOf(unit))
}

// label is what a metric is called in a sentence.
func label(unit string) string {
	switch unit {
	case wallUnit:
		return "wall time"
	case cpuUnit:
		return "CPU time"
	}
	return unit
}

func duration(sec float64) string {
	for _, u := range []struct {
		name string
		sec  float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if sec >= u.sec {
			return strconv.FormatFloat(sec/u.sec, 'g', 4, 64) + " " + u.name
		}
	}
	return strconv.FormatFloat(sec*1e9, 'g', 4, 64) + " ns"
}
