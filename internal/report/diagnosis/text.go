package diagnosis

import (
	"io"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/changes"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/growth"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/memory"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/metrics"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/observed"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/symptoms"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/traces"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// Text writes a diagnosis: for each kind of profile an answer in one
// line, the shares as bars, and then each signature that stands out with its
// lines, its lever and what to look at first.
func Text(w io.Writer, d *model.Diagnosis, o sheet.Options) error {
	s := sheet.New(o)
	for _, run := range d.Observed {
		s.Part()
		observed.Add(s, run)
	}
	for _, sy := range d.Profiles {
		s.Part()
		symptoms.Add(s, sy)
	}
	for _, c := range d.Compared {
		s.Part()
		changes.Add(s, c)
	}
	for _, g := range d.Growth {
		s.Part()
		growth.Add(s, g)
	}
	for _, m := range d.Memory {
		s.Part()
		memory.Add(s, m)
	}
	if d.Metrics != nil {
		s.Part()
		metrics.Add(s, d.Metrics)
	}
	for _, t := range d.Traces {
		s.Part()
		traces.Add(s, t)
	}
	if advises(d) {
		s.Part()
		s.Para(sheet.Dim, "", "More about a rule: pawl rules NAME. What a threshold is, and what to trust: docs/diagnose.md.")
	}
	s.Warnings(d.Warnings)
	return s.Flush(w)
}

// advises reports whether anything stands out, and with it rules are named.
func advises(d *model.Diagnosis) bool {
	return slices.ContainsFunc(d.Profiles, func(sy model.Symptoms) bool { return len(sy.Signs) > 0 }) ||
		slices.ContainsFunc(d.Observed, func(run model.Observed) bool { return len(run.Signs) > 0 }) ||
		slices.ContainsFunc(d.Growth, func(g model.Growth) bool { return len(g.Suspects) > 0 }) ||
		slices.ContainsFunc(d.Memory, func(m model.Memory) bool { return m.StandsOut > 0 }) ||
		d.Metrics != nil && len(d.Metrics.Signs) > 0
}
