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

// directions says which way of a unit is better, as far as that is known: from
// "Unit" lines of the files, for the units of testing from benchfmt, and for
// cpu-ns/op because it is pawl's.
type directions struct{ meta benchfmt.UnitMetadataMap }

// better is −1 where less is better, +1 where more is, and 0 where the
// direction is not known.
func (d directions) better(unit string) int {
	if b := d.meta.GetBetter(unit); b != 0 || unit != cpuUnit {
		return b
	}
	return -1
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
