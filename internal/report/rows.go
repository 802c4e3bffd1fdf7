package report

import (
	"math"

	"github.com/pawl-dev/pawl/internal/model"
)

// A row is one figure of one benchmark, before and after.
type row struct {
	Label    string // "cpu/op"
	Before   string
	After    string // empty when nothing was kept and so nothing measured again
	Change   string
	Interval string // or "exact", or why there is none
	Equal    bool   // an exact count that stayed
}

// rows lists what is known about a benchmark. The change of CPU or wall time
// that the judge looked at is the judge's estimate with its interval; the
// other one is the plain ratio of the two means, and has none.
func rows(r model.Result) []row {
	b, a := r.Before, r.After
	again := r.Verdict != nil || len(r.Counts) > 0 || a != (model.Stats{})
	out := []row{timeRow("cpu/op", b.CPUNs, a.CPUNs, r.Verdict, again)}
	if b.WallNs != 0 || a.WallNs != 0 { // duets have none
		out = append(out, timeRow("wall/op", b.WallNs, a.WallNs, r.Verdict, again))
	}
	out = append(out,
		countRow("allocs/op", model.Exact{Metric: "allocs/op", Before: b.Allocs, After: a.Allocs}, r.Counts, again),
		countRow("B/op", model.Exact{Metric: "B/op", Before: b.Bytes, After: a.Bytes}, r.Counts, again))
	retained := model.Exact{Metric: "retained-B", Before: b.Retained, After: a.Retained}
	if retained.Before != 0 || retained.After != 0 || find(r.Counts, "retained-B") != nil {
		out = append(out, countRow("retained", retained, r.Counts, again))
	}
	return out
}

func timeRow(metric string, before, after float64, v *model.Verdict, again bool) row {
	w := row{Label: metric, Before: nanoseconds(before)}
	if !again {
		return w
	}
	w.After = nanoseconds(after)
	switch {
	case v != nil && v.Metric == metric:
		w.Change, w.Interval = change(v.Change), bounds(*v)
	case before > 0:
		w.Change = change(after/before - 1)
	}
	return w
}

// countRow prefers the counts that the judge compared at equal N to the means
// that the statistics hold.
func countRow(label string, e model.Exact, counts []model.Exact, again bool) row {
	known := "exact"
	if c := find(counts, e.Metric); c != nil {
		e = *c
	} else {
		known = ""
	}
	w := row{Label: label, Before: exact(e.Metric, e.Before)}
	if !again {
		return w
	}
	w.After, w.Interval = exact(e.Metric, e.After), known
	switch {
	case e.Trend != 0:
		w.Change, w.Interval = ratio(e.After/max(e.Before, e.Tolerance)-1), "varies; nearly all pairs"
	case e.Noisy:
		w.Change, w.Interval = "", "varies: no claim"
	case e.Equal():
		w.Change, w.Equal = "same", true
	case e.Before == 0 || e.Metric == "retained-B":
		w.Change = delta(e)
	default:
		w.Change = ratio(e.After/e.Before - 1)
	}
	return w
}

// ratio formats the relative change of an exact count. Ten per cent and more
// need no digit behind the point: five objects less one is 20 %.
func ratio(x float64) string {
	if math.Abs(x) < 0.0995 || open(x) {
		return change(x)
	}
	if x > 0 {
		return "+" + signed(100*x) + " %"
	}
	return signed(100*x) + " %"
}

// delta is a difference with its sign, for counts that a ratio says nothing
// about.
func delta(e model.Exact) string {
	d := e.After - e.Before
	if d > 0 {
		return "+" + exact(e.Metric, d)
	}
	return exact(e.Metric, d)
}

func find(counts []model.Exact, metric string) *model.Exact {
	for i := range counts {
		if counts[i].Metric == metric {
			return &counts[i]
		}
	}
	return nil
}
