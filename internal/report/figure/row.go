package figure

import (
	"math"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Row is one figure of one benchmark, before and after.
type Row struct {
	Label    string // "cpu/op"
	Before   string
	After    string // empty when nothing was kept and so nothing measured again
	Change   string
	Interval string // or "exact", or why there is none
	Equal    bool   // an exact count that stayed
}

// Rows lists what is known about a benchmark. The time that the judge looked at
// has the judge's estimate and its interval, wall time of stock runs the range
// of its pairs. Any other time has no change: two medians without a spread say
// too little, and of wall time there is no row then.
func Rows(r model.Result) []Row {
	b, a := r.Before, r.After
	again := r.Verdict != nil || len(r.Counts) > 0 || a != (model.Stats{})
	out := []Row{timeRow("cpu/op", b.CPUNs, a.CPUNs, r.Verdict, again)}
	if b.WallNs != 0 || a.WallNs != 0 { // duets have none
		w := timeRow("wall/op", b.WallNs, a.WallNs, r.Verdict, again)
		if w.Interval == "" && again && r.Solo != nil && len(r.Solo.WallBefore) > 0 {
			w.Interval = wallRange(r.Solo)
		}
		if !again || w.Interval != "" || r.Verdict == nil {
			out = append(out, w)
		}
	}
	out = append(out,
		countRow("allocs/op", model.Exact{Metric: "allocs/op", Before: b.Allocs, After: a.Allocs}, r.Counts, again),
		countRow("B/op", model.Exact{Metric: "B/op", Before: b.Bytes, After: a.Bytes}, r.Counts, again))
	retained := model.Exact{Metric: "retained-B", Before: b.Retained, After: a.Retained}
	if retained.Before != 0 || retained.After != 0 || model.CountOf(r.Counts, "retained-B") != nil {
		out = append(out, countRow("retained", retained, r.Counts, again))
	}
	return out
}

func timeRow(metric string, before, after float64, v *model.Verdict, again bool) Row {
	w := Row{Label: metric, Before: words.Nanoseconds(before)}
	if !again {
		return w
	}
	w.After = words.Nanoseconds(after)
	if v != nil && v.Metric == metric {
		w.Change, w.Interval = Change(v.Change), Bounds(*v)
	}
	return w
}

// countRow prefers the counts that the judge compared at equal N to the means
// that the statistics hold.
func countRow(label string, e model.Exact, counts []model.Exact, again bool) Row {
	known := "exact"
	if c := model.CountOf(counts, e.Metric); c != nil {
		e = *c
	} else {
		known = ""
	}
	w := Row{Label: label, Before: Exact(e.Metric, e.Before)}
	if !again {
		return w
	}
	w.After, w.Interval = Exact(e.Metric, e.After), known
	switch {
	case e.Trend != 0:
		w.Change, w.Interval = Ratio(e.After/max(e.Before, e.Tolerance)-1), "varies; nearly all pairs"
	case e.Noisy:
		w.Change, w.Interval = "", "varies: no claim"
	case e.Equal():
		w.Change, w.Equal = "same", true
	case e.Before == 0 || e.Metric == "retained-B":
		w.Change = delta(e)
	default:
		w.Change = Ratio(e.After/e.Before - 1)
	}
	return w
}

// Ratio formats the relative change of an exact count. Ten per cent and more
// need no digit behind the point: five objects less one is 20 %.
func Ratio(x float64) string {
	if math.Abs(x) < 0.0995 || words.Unbounded(x) {
		return Change(x)
	}
	if x > 0 {
		return "+" + words.Whole(100*x) + " %"
	}
	return words.Whole(100*x) + " %"
}

// delta is a difference with its sign, for counts that a ratio says nothing
// about.
func delta(e model.Exact) string {
	d := e.After - e.Before
	if d > 0 {
		return "+" + Exact(e.Metric, d)
	}
	return Exact(e.Metric, d)
}
