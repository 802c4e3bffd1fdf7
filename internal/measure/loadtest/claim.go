package loadtest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// A claim is one metric that is judged.
type claim struct {
	name     string // "cpu/request", "latency-p50"
	quantile string // "p50"; "" for CPU time per request
	rules    verdict.Rules
	series   *verdict.Series
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
		c.claims = append(c.claims, &claim{name: name, quantile: quantile, rules: rules, series: verdict.NewSeries(rules)})
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
	if err := m.series.Add(math.Log(c / b)); err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	return nil
}

// answered reports whether the claim needs no more units: it has its answer, or
// a slowdown that would count is excluded.
func (m *claim) answered() bool { return m.series.Decision().Done || m.answer().FloorExcluded }

// hopeless reports whether a latency is not worth waiting for: after a while
// its noise says that the units there are will hardly suffice. To stop because
// of that, or not to, is free: what the judge says holds at any unit.
func (m *claim) hopeless() bool {
	d, r := m.series.Decision(), m.rules.Judge
	return m.quantile != "" && d.Units >= 2*r.MinUnits() &&
		judge.UnitsFor(d.NoiseSD, min(math.Abs(d.Estimate), 0.99), r) >= r.MaxUnits
}

// answer reads the units so far. That a slowdown by as much as was asked for is
// excluded is said from the first unit on that can have an interval.
func (m *claim) answer() verdict.Answer {
	a := m.series.Answer(named, m.name, false)
	a.FloorExcluded = a.FloorExcluded && a.Verdict.Answer != model.Slower && a.Verdict.Units >= m.rules.Judge.MinUnits()
	return a
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
		out = append(out, model.LoadMetric{Name: m.name, Unit: "ns", Before: verdict.Median(before), After: verdict.Median(after), Verdict: m.answer().Verdict})
	}
	return out
}
