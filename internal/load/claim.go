package load

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// A claim is one metric that is judged.
type claim struct {
	name     string // "cpu/request", "latency-p50"
	quantile string // "p50"; "" for CPU time per request
	rules    judge.Rules
	seq      *judge.Sequence
	missing  int // units in which a side did not report it
}

// claim fixes the metrics that are judged, from a first unit: those that both
// sides report, in digits that are fine enough. They cannot be chosen later,
// since what is judged must not follow from how it comes out.
func (c *comparison) claim(first model.LoadRunPair) error {
	if len(c.claims) > 0 {
		return nil
	}
	quantiles, err := quantilesOf(c.Quantiles, first)
	if err != nil {
		return fmt.Errorf("load command %s: %w", c.load.text, err)
	}
	quantiles = slices.DeleteFunc(quantiles, func(q string) bool {
		ns := min(first.Base.LatencyNs[q], first.Candidate.LatencyNs[q])
		if ns*c.MinLatency >= 2*c.report.StepNs {
			return false
		}
		c.coarse = append(c.coarse, fmt.Sprintf("latency-%s is about %v, printed in steps of %v", q, time.Duration(ns), time.Duration(c.report.StepNs)))
		return true
	})
	add := func(name, quantile string, effect float64) {
		rules := c.rules(effect, 1+len(quantiles))
		c.claims = append(c.claims, &claim{name: name, quantile: quantile, rules: rules, seq: judge.NewSequence(rules)})
	}
	add("cpu/request", "", c.MinEffect)
	for _, q := range quantiles {
		add("latency-"+q, q, c.MinLatency)
	}
	return nil
}

// quantilesOf returns which latencies are judged: those asked for, or the
// median and a high one.
func quantilesOf(asked []string, pair model.LoadRunPair) ([]string, error) {
	has := func(q string) bool { return pair.Base.LatencyNs[q] > 0 && pair.Candidate.LatencyNs[q] > 0 }
	for _, q := range asked {
		if !has(q) {
			printed := slices.Sorted(maps.Keys(pair.Base.LatencyNs))
			return nil, fmt.Errorf("latency %s was asked for, and the output has %s", q, cmp.Or(strings.Join(printed, ", "), "none"))
		}
	}
	if len(asked) > 0 {
		return slices.Compact(slices.Sorted(slices.Values(asked))), nil
	}
	var out []string
	if has("p50") {
		out = append(out, "p50")
	}
	for _, q := range []string{"p99", "p95", "p90"} {
		if has(q) {
			return append(out, q), nil
		}
	}
	return out, nil
}

// add takes the latencies of a unit.
func (m *claim) add(pair model.LoadRunPair) error {
	b, c := pair.Base.LatencyNs[m.quantile], pair.Candidate.LatencyNs[m.quantile]
	if !positive(b) || !positive(c) {
		m.missing++
		return nil
	}
	if err := m.seq.Add(math.Log(c / b)); err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	return nil
}

// answered reports whether the claim needs no more units: it has its answer, or
// a slowdown that would count is excluded.
func (m *claim) answered() bool { return m.seq.Decision().Done || m.noSlower() }

// hopeless reports whether a latency is not worth waiting for: after a while
// its noise says that the units there are will hardly suffice. To stop because
// of that, or not to, is free: what the judge says holds at any unit.
func (m *claim) hopeless() bool {
	d := m.seq.Decision()
	return m.quantile != "" && d.Units >= 2*m.rules.MinUnits() &&
		judge.UnitsFor(d.NoiseSD, min(math.Abs(d.Estimate), 0.99), m.rules) >= m.rules.MaxUnits
}

// noSlower reports whether a slowdown by as much as was asked for is excluded.
func (m *claim) noSlower() bool {
	d := m.seq.Decision()
	return d.Answer != judge.Slower && d.Units >= m.rules.MinUnits() && m.seq.ExcludesSlowdown(m.rules.MinEffect, m.rules.Beta)
}

func (m *claim) verdict() model.Verdict {
	d := m.seq.Decision()
	lo, hi := d.Finite()
	v := model.Verdict{
		Benchmark: named, Metric: m.name, Answer: model.Answer(d.Answer),
		Change: d.Estimate, Lo: lo, Hi: hi, Level: m.rules.Level(), Units: d.Units, Evidence: d.E, NoiseSD: d.NoiseSD,
	}
	if d.Drifted {
		v.Warnings = append(v.Warnings, model.Warning{
			Seen:  m.name + ": no single difference fits all units: it moved during the run",
			Cause: "caches or data of a program that grow with the requests, or a machine that throttles",
			Try:   "a longer load run, so that the programs are warm for most of it",
		})
	}
	return v
}

// value returns the metric of one load run; 0 where it was not reported.
func (m *claim) value(r model.LoadRun) float64 {
	if m.quantile == "" {
		return perRequest(r)
	}
	return r.LatencyNs[m.quantile]
}

// metrics returns the claims as they stand.
func (c *comparison) metrics() []model.LoadMetric {
	out := make([]model.LoadMetric, 0, len(c.claims))
	for _, m := range c.claims {
		var before, after []float64
		for _, pair := range c.runs {
			if b, a := m.value(pair.Base), m.value(pair.Candidate); positive(b) && positive(a) {
				before, after = append(before, b), append(after, a)
			}
		}
		out = append(out, model.LoadMetric{Name: m.name, Unit: "ns", Before: median(before), After: median(after), Verdict: m.verdict()})
	}
	return out
}

// median returns the median of xs, and 0 for none.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(xs))
	if m := len(s) / 2; len(s)%2 == 1 {
		return s[m]
	} else {
		return (s[m-1] + s[m]) / 2
	}
}
