package observed

import (
	"embed"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/symptoms"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/page"
	"github.com/pawl-dev/pawl/internal/words"
)

//go:embed observed.html
var Files embed.FS

// An Part is what was seen of a run.
type Part struct {
	section.Head
	Facts      string
	Benchmarks []ranRow
	More       []ranRow // folded
	Process    []figure.Fact
	Empty      string
	symptoms.SignList
	Hint     string
	Warnings []model.Warning
}

// A ranRow is a benchmark that ran.
type ranRow struct{ Name, Round, Iterations string }

// NewPart fills the part about one run.
func NewPart(h section.Head, o model.Observed) Part {
	p := Part{
		Head: h, Facts: page.Together(facts(o)), SignList: symptoms.NewSignList(h.ID+"-sign", o.Signs, o.Below), Hint: o.Hint, Warnings: o.Warnings,
	}
	for i, b := range o.Benchmarks {
		r := ranRow{ranName(o.Benchmarks, b), words.Nanoseconds(1e9 * b.Seconds), words.Grouped(b.N)}
		if i < ranBenchmarks {
			p.Benchmarks = append(p.Benchmarks, r)
		} else {
			p.More = append(p.More, r)
		}
	}
	for _, f := range processFacts(o) {
		p.Process = append(p.Process, figure.Fact{Label: f.Label, Text: page.Together(f.Text)})
	}
	if len(o.Empty) > 0 {
		p.Empty = emptyText(o)
	}
	return p
}
