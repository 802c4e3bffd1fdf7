package report

import (
	"strconv"

	"github.com/pawl-dev/pawl/internal/model"
)

// A metricsPart is what the runtime of a program said of itself.
type metricsPart struct {
	partHead
	Facts    string
	Figures  []metricFigure
	Signs    []metricSignPart
	Unknown  []model.MetricGap
	Warnings []model.Warning
}

// A metricFigure is a row of the table.
type metricFigure struct {
	Title, Value, Note string
	Bar                *shareBar // of shares
	Ref, Sign          string    // what is said of it below
}

// A metricSignPart is all about a figure that stands out.
type metricSignPart struct {
	ID, Name, Title string
	Value, Seen     string
	remedy
}

func newMetricsPart(h partHead, m *model.RuntimeMetrics) *metricsPart {
	p := &metricsPart{partHead: h, Facts: metricsFacts(m), Unknown: m.Unknown, Warnings: m.Warnings}
	id := func(i int) string { return h.ID + "-sign-" + strconv.Itoa(i+1) }
	values := map[string]string{}
	for _, f := range m.Figures {
		r := metricFigure{Title: f.Title, Value: together(metricValue(f)), Note: f.Note}
		values[f.Name] = r.Value
		if f.Unit == "share" {
			bar := newShareBar(f.Value, 0, 0, 0)
			r.Bar = &bar
		}
		if i := metricSignOf(m, f); i >= 0 {
			r.Ref, r.Sign = id(i), m.Signs[i].Name
		}
		p.Figures = append(p.Figures, r)
	}
	for i, x := range m.Signs {
		p.Signs = append(p.Signs, metricSignPart{
			ID: id(i), Name: x.Name, Title: x.Title, Value: values[x.Metric], Seen: together(metricSeen(x)),
			remedy: newRemedy(x.Rules, fact{"what", x.Meaning}, fact{"lever", x.Lever}, fact{"first", x.Before}, fact{"beware", x.Gap}),
		})
	}
	return p
}
