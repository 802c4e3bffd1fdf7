package comparison

import (
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// A metricRow is a metric that a benchmark reports itself, in words.
type metricRow struct {
	unit, before, after string
	change, interval    string // of one that was judged
	standing            string
	mark                sheet.Cell
}

func metricRows(b model.Compared) []metricRow {
	var out []metricRow
	for _, m := range b.Metrics {
		r := metricRow{unit: m.Unit, before: ownFigure(m.Unit, m.Before), after: ownFigure(m.Unit, m.After), standing: string(m.Standing), mark: markOf(m.Standing)}
		switch v := m.Verdict; {
		case v != nil && v.Units > 0 && !words.Unbounded(v.Change):
			r.change, r.interval = figure.Change(v.Change), figure.Bounds(*v)
		case m.Exact:
			r.interval = "exact"
		}
		out = append(out, r)
	}
	return out
}

// ownFigure is a figure in the benchmark's own unit, or of the CPU time of one that waits.
func ownFigure(unit string, x float64) string {
	switch {
	case words.Unbounded(x):
		return "?"
	case unit == "cpu/op":
		return words.Nanoseconds(x)
	}
	return words.Plain(x)
}

// String is the metric in one line: "p99-ns 120 → 150, +25.0 % [+18.0, +31.0] %:
// regressed".
func (r metricRow) String() string {
	t := r.unit + " " + r.before
	if r.after != r.before {
		t += " → " + r.after
	}
	if s := strings.TrimSpace(r.change + " " + r.interval); s != "" {
		t += ", " + s
	}
	return t + ": " + r.standing
}

// lines are the metrics of a row, one a line.
func (r comparedRow) lines() []string {
	var out []string
	for _, m := range r.metrics {
		out = append(out, m.String())
	}
	return out
}

// metricFigures are the metrics as rows of a table of figures.
func (r comparedRow) metricFigures() []figure.Row {
	var out []figure.Row
	for _, m := range r.metrics {
		out = append(out, figure.Row{Label: m.unit, Before: m.before, After: m.after, Change: m.change, Interval: strings.TrimSpace(m.interval + " " + m.standing)})
	}
	return out
}
