package report

import "github.com/pawl-dev/pawl/internal/model"

// An observedPart is what was seen of a run.
type observedPart struct {
	partHead
	Facts      string
	Benchmarks []ranRow
	More       []ranRow // folded
	Process    []fact
	Empty      string
	signList
	Hint     string
	Warnings []model.Warning
}

// A ranRow is a benchmark that ran.
type ranRow struct{ Name, Round, Iterations string }

func newObservedPart(h partHead, o model.Observed) observedPart {
	p := observedPart{
		partHead: h, Facts: together(observedFacts(o)), signList: newSignList(h.ID+"-sign", o.Signs, o.Below), Hint: o.Hint, Warnings: o.Warnings,
	}
	for i, b := range o.Benchmarks {
		r := ranRow{ranName(o.Benchmarks, b), nanoseconds(1e9 * b.Seconds), thousands(b.N)}
		if i < ranBenchmarks {
			p.Benchmarks = append(p.Benchmarks, r)
		} else {
			p.More = append(p.More, r)
		}
	}
	for _, f := range processFacts(o) {
		p.Process = append(p.Process, fact{f.Label, together(f.Text)})
	}
	if len(o.Empty) > 0 {
		p.Empty = emptyText(o)
	}
	return p
}
