// Package trend puts what was measured at different times into series, and finds
// where their level shifted.
//
// The figures are those of the runs that a module keeps and of its records, or of
// files of others. Times of two machines are two series; counts of one system are one.
// A point is what was measured once, so a series is as even as the machine was: a
// shift says where to look, and a comparison of the two commits whether it is so.
package trend

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/changepoint"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// rate is the part of pages without a change that show one, as far as the number of
// series allows: changepoint.Finest is the lowest rate of a single one.
const rate = 0.05

// least is the smallest shift that is one, as a part of the level before it: nobody looks for one that is shown as 0.0 %.
const least = 0.001

// mostPoints is how many points of a series are kept, the latest.
const mostPoints = 200

// The metrics whose values are times, and the others that testing knows.
const (
	cpu        = "cpu/op"
	wall       = "wall/op"
	allocs     = "allocs/op"
	bytesPerOp = "B/op"
	speed      = "B/s"
)

// A key tells series apart.
type key struct {
	benchmark       model.Benchmark
	metric, machine string
}

// A Collection is series that grow point by point.
type Collection struct {
	of       []string
	series   map[key]*model.TrendSeries
	warnings []model.Warning
}

// New returns a collection without a point. What it is of is for the head of a page.
func New(of ...string) *Collection {
	return &Collection{of: of, series: make(map[key]*model.TrendSeries)}
}

func (c *Collection) add(k key, better int, p model.TrendPoint) {
	if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) {
		return
	}
	s, ok := c.series[k]
	if !ok {
		s = &model.TrendSeries{Benchmark: k.benchmark, Metric: k.metric, Machine: k.machine, Better: better}
		c.series[k] = s
	}
	s.Points = append(s.Points, p)
}

// Trend sorts the points, and finds the shifts. Series that shifted come first.
func (c *Collection) Trend(ctx context.Context, tool string) (*model.Trend, error) {
	t := &model.Trend{Schema: model.SchemaVersion, Tool: tool, Of: c.of, Series: []model.TrendSeries{}, Warnings: c.warnings}
	t.Rate = max(rate/float64(max(1, len(c.series))), changepoint.Finest)
	for _, s := range c.series {
		inTime(s.Points)
		s.Points = s.Points[max(0, len(s.Points)-mostPoints):]
		t.Series = append(t.Series, *s)
	}
	sorted.By(t.Series, byName) // also the order in which orders are dealt
	coin := rand.New(rand.NewPCG(1, uint64(len(t.Series))))
	for i := range t.Series {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.Series[i].Shifts = shifts(t.Series[i].Points, t.Rate, coin)
	}
	sorted.By(t.Series, func(a, b model.TrendSeries) int { return min(1, len(b.Shifts)) - min(1, len(a.Shifts)) })
	return t, nil
}

func byName(a, b model.TrendSeries) int {
	name := func(s model.TrendSeries) string {
		return strings.Join([]string{s.Benchmark.Pkg, s.Benchmark.Name, s.Metric, s.Machine}, "\x00")
	}
	return strings.Compare(name(a), name(b))
}

// inTime sorts points by their time where each has one; others are in the order in
// which they were given.
func inTime(points []model.TrendPoint) {
	if slices.ContainsFunc(points, func(p model.TrendPoint) bool { return p.Time.IsZero() }) {
		return
	}
	sorted.By(points, func(a, b model.TrendPoint) int { return a.Time.Compare(b.Time) })
}

func shifts(points []model.TrendPoint, rate float64, coin *rand.Rand) []model.TrendShift {
	values := make([]float64, len(points))
	for i, p := range points {
		values[i] = p.Value
	}
	found := changepoint.Find(values, rate, coin)
	var out []model.TrendShift
	for i, f := range found {
		from, to := 0, len(values)
		if i > 0 {
			from = found[i-1].At
		}
		if i+1 < len(found) {
			to = found[i+1].At
		}
		s := model.TrendShift{At: f.At, Before: median(values[from:f.At]), After: median(values[f.At:to]), P: f.P}
		if math.Abs(s.After-s.Before) >= least*math.Abs(s.Before) {
			out = append(out, s)
		}
	}
	return out
}

func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// when reads a time as people and tools write it; the zero time where it is none.
func when(text string) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return time.Time{}
}
