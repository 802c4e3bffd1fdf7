package hotpath

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// String returns the figure as a line of its field.
func (f Figure) String() string {
	s := f.Metric + " "
	switch {
	case IsTime(f.Metric):
		s += number(significant(f.Value)) + " ns"
	case !slices.Contains(metrics(), f.Metric):
		s += strconv.FormatFloat(f.Value, 'g', 6, 64)
	default:
		s += number(round(f.Value))
	}
	if f.Spread > 0 {
		s += " ±" + number(math.Max(0.1, math.Round(f.Spread*1000)/10)) + "%"
	}
	if f.Varies {
		s += " varies"
	}
	return s
}

// significant rounds a time to four digits, which is more than it is worth.
func significant(x float64) float64 {
	if x <= 0 {
		return 0
	}
	if r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64); err == nil {
		return r
	}
	return x
}

// round takes off the part of a count that is the runtime's and not the
// benchmark's, and keeps one that is a real fraction: 0.97 is not 1.
func round(x float64) float64 {
	const dust = 0.005
	if r := math.Round(x); math.Abs(x-r) < dust {
		return math.Max(0, r)
	}
	return math.Round(x*1000) / 1000
}

// Rounded returns the figure as it is read again from a file.
func (f Figure) Rounded() Figure {
	r, err := parseFigure(f.String())
	if err != nil {
		return f
	}
	return r
}

func parseFigure(line string) (Figure, error) {
	words := strings.Fields(line)
	var f Figure
	if len(words) < 2 {
		return f, fmt.Errorf("a figure is a metric and a number, such as “allocs/op 3” or “cpu/op 41.2 ns ±1.3%%”")
	}
	f.Metric = words[0]
	err := metricError(f.Metric)
	if err != nil {
		return f, err
	}
	if f.Value, err = strconv.ParseFloat(words[1], 64); err != nil || f.Value < 0 || !(f.Value < 1e18) {
		return f, fmt.Errorf("%q is no figure of %s", shorten(words[1]), f.Metric)
	}
	rest := words[2:]
	if IsTime(f.Metric) {
		if len(rest) == 0 || rest[0] != "ns" {
			return f, fmt.Errorf("%s is in ns: write it behind the number", f.Metric)
		}
		rest = rest[1:]
	}
	for _, w := range rest {
		spread, isSpread := strings.CutPrefix(w, "±")
		switch {
		case w == "varies":
			f.Varies = true
		case isSpread && strings.HasSuffix(spread, "%"):
			x, err := strconv.ParseFloat(strings.TrimSuffix(spread, "%"), 64)
			if err != nil || !(x >= 0 && x < 1e6) {
				return f, fmt.Errorf("%q is no spread: write it as ±1.3%%", shorten(w))
			}
			f.Spread = x / 100
		default:
			return f, fmt.Errorf("%q says nothing of a figure: there may be ±1.3%%, and “varies”", shorten(w))
		}
	}
	return f, nil
}

func setFigures(r *Record, f field) error {
	name := f.values[0]
	if !strings.HasPrefix(name, "Benchmark") || strings.ContainsAny(name, " \t") {
		return fmt.Errorf("%q is no name of a benchmark: write it whole, such as BenchmarkWrite/small", shorten(name))
	}
	out := Figures{Benchmark: name}
	for i, line := range f.values[1:] {
		v, err := parseFigure(line)
		if err != nil {
			return &atLine{f.line + 1 + i, err}
		}
		if _, twice := out.Of(v.Metric); twice {
			return &atLine{f.line + 1 + i, fmt.Errorf("%s has two figures of %s", name, v.Metric)}
		}
		out.Values = append(out.Values, v)
	}
	if len(out.Values) == 0 {
		return fmt.Errorf("%s has no figures below it", name)
	}
	r.Measured.Figures = append(r.Measured.Figures, out)
	return nil
}

// An atLine is an error of another line than that of the key.
type atLine struct {
	line int
	err  error
}

func (e *atLine) Error() string { return e.err.Error() }
