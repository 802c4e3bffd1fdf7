package metrics

import (
	"embed"
	"strconv"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/section"
	"github.com/pawl-dev/pawl/internal/report/page"
)

//go:embed metrics.html
var Files embed.FS

// A Part is what the runtime of a program said of itself.
type Part struct {
	section.Head
	Facts    string
	Figures  []metricFigure
	Signs    []metricSignPart
	Unknown  []model.MetricGap
	Warnings []model.Warning
}

// A metricFigure is a row of the table.
type metricFigure struct {
	Title, Value, Note string
	Bar                *section.ShareBar // of shares
	Ref, Sign          string            // what is said of it below
}

// A metricSignPart is all about a figure that stands out.
type metricSignPart struct {
	ID, Name, Title string
	Value, Seen     string
	section.Remedy
}

// NewPart fills the part about the runtime's metrics.
func NewPart(h section.Head, m *model.RuntimeMetrics) *Part {
	p := &Part{Head: h, Facts: facts(m), Unknown: m.Unknown, Warnings: m.Warnings}
	id := func(i int) string { return h.ID + "-sign-" + strconv.Itoa(i+1) }
	values := map[string]string{}
	for _, f := range m.Figures {
		r := metricFigure{Title: f.Title, Value: page.Together(metricValue(f)), Note: f.Note}
		values[f.Name] = r.Value
		if f.Unit == "share" {
			bar := section.NewShareBar(f.Value, 0, 0, 0)
			r.Bar = &bar
		}
		if i := metricSignOf(m, f); i >= 0 {
			r.Ref, r.Sign = id(i), m.Signs[i].Name
		}
		p.Figures = append(p.Figures, r)
	}
	for i, x := range m.Signs {
		p.Signs = append(p.Signs, metricSignPart{
			ID: id(i), Name: x.Name, Title: x.Title, Value: values[x.Metric], Seen: page.Together(metricSeen(x)),
			Remedy: section.NewRemedy(x.Rules, section.About(x.Meaning, x.Lever, x.Before, x.Gap)...),
		})
	}
	return p
}
