package report

import (
	"github.com/pawl-dev/pawl/internal/model"
)

// A pageResult is one benchmark, original against final.
type pageResult struct {
	Name    string
	Figure  string // the change, large: "−46.5 %"
	What    string // what it is the change of
	Answer  string
	Faster  bool
	Slower  bool
	Range   string // the interval and what it rests on
	Picture *picture
	Rows    []row
	Level   string // heading of the intervals
	Counts  []row  // of counts that changed, for the figures beside the change

	Evidence *evidence
}

func newResult(res model.Result) pageResult {
	p := pageResult{Name: res.Benchmark.String(), Rows: rows(res)}
	for _, w := range p.Rows {
		if w.Interval == "exact" && !w.Equal && w.Label != "retained" {
			p.Counts = append(p.Counts, w)
		}
	}
	if v := res.Verdict; v != nil {
		p.Figure, p.What, p.Answer = change(v.Change), metricName(v.Metric)+" per op", string(v.Answer)
		p.Range = together(boundsAfter(*v, units(*v)))
		p.Level, p.Faster, p.Slower = level(v), v.Answer == model.Faster, v.Answer == model.Slower
		p.Picture, p.Evidence = scaleOf([]model.Verdict{*v}).draw(*v), newEvidence(*v, 0)
	}
	return p
}

func firstVerdicts(attempts []model.Attempt) []model.Verdict {
	var out []model.Verdict
	for _, a := range attempts {
		if len(a.Verdicts) > 0 {
			out = append(out, a.Verdicts[0])
		}
	}
	return out
}
