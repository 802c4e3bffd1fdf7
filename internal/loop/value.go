package loop

import (
	"context"
	"fmt"
	"path"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/worth"
)

// value says what a change that is about to be kept is worth in production,
// and rolls it back when that is less than what was asked for.
func (s *Session) value(ctx context.Context, t *tried) error {
	if t.Outcome != model.Kept || ctx.Err() != nil {
		return ctx.Err()
	}
	if s.opt.Production == nil {
		if !s.advised {
			s.warn(worth.Advice())
			s.advised = true
		}
		return nil
	}
	w, warnings, err := s.opt.Production.Of(s.production(t))
	if err != nil {
		return s.noWorth(t, err)
	}
	t.Worth = &w.Worth
	t.Warnings = append(t.Warnings, warnings...)
	if s.opt.MinWorth == 0 {
		return nil
	}
	j := worth.Judge(w, s.opt.MinWorth)
	if !j.OK {
		t.Outcome, t.Reason = model.RolledBack, join("worth too little: "+j.Why, t.Reason)
	}
	if j.Try != "" {
		t.Warnings = append(t.Warnings, model.Warning{Seen: "what " + t.Change.Title + " is worth is not certain: " + j.Why, Try: j.Try})
	}
	return nil
}

// noWorth deals with a change whose worth cannot be told: where a least worth
// was asked for, that is the end of it.
func (s *Session) noWorth(t *tried, err error) error {
	t.Warnings = append(t.Warnings, model.Warning{Seen: err.Error()})
	if s.opt.MinWorth > 0 {
		t.Outcome, t.Reason = model.RolledBack, fmt.Sprintf("not shown to be worth %s: %v", percent(s.opt.MinWorth), err)
	}
	return nil
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
