package loop

import (
	"path"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/worth"
)

// value says what a change that is about to be kept is worth in production,
// and rolls it back when that is less than what was asked for.
func (s *Session) value(t *tried) {
	if t.Outcome != model.Kept {
		return
	}
	if s.opt.Production == nil {
		if !s.advised {
			s.warn(worth.Advice())
			s.advised = true
		}
		return
	}
	w, warnings, err := s.opt.Production.Of(s.production(t))
	if err != nil {
		s.noWorth(t, err)
		return
	}
	t.Worth = &w.Worth
	t.Warnings = append(t.Warnings, warnings...)
	if s.opt.MinWorth == 0 {
		return
	}
	j := worth.Judge(w, s.opt.MinWorth)
	s.asked(t, j.OK, j.Why)
	if j.Try != "" {
		t.Warnings = append(t.Warnings, model.Warning{Seen: "what " + t.Change.Title + " is worth is not certain: " + j.Why, Try: j.Try})
	}
}

// noWorth deals with a change whose worth cannot be told: where a least worth
// was asked for, that is the end of it.
func (s *Session) noWorth(t *tried, err error) {
	t.Warnings = append(t.Warnings, model.Warning{Seen: err.Error()})
	if s.opt.MinWorth > 0 {
		s.asked(t, false, err.Error())
	}
}

// asked is the check of what -min-worth asks for.
func (s *Session) asked(t *tried, ok bool, why string) {
	c := model.Check{Name: "worth", OK: ok}
	if !ok {
		c.Detail = why
		t.Outcome, t.Reason = model.RolledBack, join("worth: "+why, t.Reason)
	}
	t.Checks = append(t.Checks, c)
}

// production is what was measured of a change in the benchmark that shows it
// best: the first verdict that is faster, else the first.
func (s *Session) production(t *tried) worth.Change {
	c := worth.Change{}
	for _, d := range t.Driven {
		c.Funcs = append(c.Funcs, worth.Func{Name: d.Func, File: path.Base(d.At.File)})
	}
	if len(t.Verdicts) == 0 {
		return c
	}
	v := t.Verdicts[0]
	for _, x := range t.Verdicts {
		if x.Answer == model.Faster {
			v = x
			break
		}
	}
	c.Benchmark = v.Benchmark
	if v.Metric == "cpu/op" {
		c.Gains = append(c.Gains, worth.TimeGain(v))
	}
	for _, e := range t.Counts {
		if e.Benchmark == v.Benchmark && (e.Metric == "B/op" || e.Metric == "allocs/op") {
			c.Gains = append(c.Gains, worth.AllocGain(e))
		}
	}
	base := s.now.costs[v.Benchmark]
	c.CPU, c.Allocs = base.cpuProfile, base.memProfile
	return c
}
