package loadtest

import (
	"fmt"
	"math"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// warnings returns what weakens or explains the result.
func (c *comparison) warnings() []model.Warning {
	if len(c.runs) == 0 {
		return nil
	}
	var out []model.Warning
	add := func(seen, cause, try string) { out = append(out, model.Warning{Seen: seen, Cause: cause, Try: try}) }
	if len(c.places.programs) == 0 {
		add("the programs and the load command share the only core", "this process may use one core", "a machine, or a container, with two cores or more")
	}
	if !c.alternate && len(c.claims) > 1 {
		add("latencies are those of two programs that share a core", "both are under load at the same time",
			"read them as ratios; for latencies of a program that has its core for itself, run the programs alternately")
	}
	if g := c.memory(); g.Tripped {
		add(verdict.GuardText(g), "memory that the candidate takes to save time, or a leak", "compare heap profiles of both programs")
	}
	out = append(out, c.aboutErrors()...)
	out = append(out, c.aboutLoad()...)
	out = append(out, c.aboutLatency()...)
	return append(out, c.aboutCost()...)
}

// aboutErrors warns of requests that failed where that does not already leave
// the comparison undecided.
func (c *comparison) aboutErrors() []model.Warning {
	f := c.errors()
	if f.rose() {
		return []model.Warning{{Seen: f.String(), Cause: "a program that fails, or that the load overtakes",
			Try: "make both answer without errors, or lower the load"}}
	}
	if f.errors[0]+f.errors[1] == 0 {
		return nil
	}
	return []model.Warning{{
		Seen:  fmt.Sprintf("some requests failed: %.0f of %.0f on the base, %.0f of %.0f on the candidate", f.errors[0], f.requests[0], f.errors[1], f.requests[1]),
		Cause: "a wrong address in the load command, or a load that overtakes the programs",
		Try:   "a load under which none fails: what a failed request costs says nothing of the others",
	}}
}

// shortRun is how long a load run should be at least: below that, starting and
// ending make up much of it.
const shortRun = 500 * time.Millisecond

// aboutLoad warns of load commands that make poor units.
func (c *comparison) aboutLoad() []model.Warning {
	var walls, apart []float64
	for _, pair := range c.runs {
		b, k := pair.Base.WallNs, pair.Candidate.WallNs
		walls = append(walls, (b+k)/2)
		apart = append(apart, math.Abs(math.Log(k/b)))
	}
	var out []model.Warning
	if w := time.Duration(verdict.Median(walls)); w < shortRun {
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("a run of the load command takes %v", w.Round(time.Millisecond)),
			Cause: "connecting and warming up are then much of what is measured",
			Try:   "a load of a second or more",
		})
	}
	if a := verdict.Median(apart); !c.alternate && a > 0.1 {
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("one load run of a pair is %s shorter than the other", words.Percent(-math.Expm1(-a))),
			Cause: "the load command makes a number of requests, and the program that is left has the core for itself",
			Try:   "a load of a duration instead, such as hey -z 2s or wrk -d 2s",
		})
	}
	if start := c.starts / time.Duration(max(1, c.units)); start > time.Duration(verdict.Median(walls)) {
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("starting the programs takes %v, longer than a load run", start.Round(time.Millisecond)),
			Cause: "both are started anew for each unit, so that the luck of a process counts as noise",
			Try:   "longer load runs, which make better use of a start",
		})
	}
	return out
}

// aboutLatency warns of latencies that are not judged, or not decided.
func (c *comparison) aboutLatency() []model.Warning {
	var out []model.Warning
	for _, seen := range c.coarse {
		out = append(out, model.Warning{
			Seen:  seen + ", and is not judged",
			Cause: "how " + c.report.Form + " prints latencies",
			Try:   "a load command that prints more digits, such as wrk --latency or vegeta, where this latency matters",
		})
	}
	if len(c.claims) == 1 && len(c.coarse) == 0 {
		out = append(out, model.Warning{
			Seen:  "no latencies are judged",
			Cause: "the output of the load command (read as " + c.report.Form + ") has none that both sides share",
			Try:   "ask it for them, for example with wrk --latency",
		})
	}
	for _, m := range c.claims[1:] {
		if m.missing > 0 {
			out = append(out, model.Warning{
				Seen:  fmt.Sprintf("%s is missing in %d of %d units", m.name, m.missing, len(c.runs)),
				Cause: "too few requests for that quantile, or a latency that was printed as zero",
				Try:   "a longer load",
			})
		}
		if a := m.answer(); a.Verdict.Answer == model.Undecided && !a.FloorExcluded {
			v := a.Verdict
			out = append(out, model.Warning{
				Seen:  fmt.Sprintf("%s is not decided: %s%s", m.name, words.Signed(v.Change), verdict.Interval(v)),
				Cause: fmt.Sprintf("its noise of %s a unit, as high quantiles have it on a busy machine", words.Percent(v.NoiseSD)),
				Try:   "longer load runs, or a quieter machine, where this latency matters",
			})
		}
	}
	return out
}

// aboutCost warns of what weakens the verdict on CPU time per request.
func (c *comparison) aboutCost() []model.Warning {
	var out []model.Warning
	for _, m := range c.metrics() {
		out = append(out, m.Verdict.Warnings...)
	}
	cpu := c.claims[0]
	a := cpu.answer()
	if v := a.Verdict; (v.Answer == model.Slower || v.Answer == model.Faster) && math.Abs(v.Change) < verdict.LayoutFloor {
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("cpu/request is %s by %s only", v.Answer, words.Percent(v.Change)),
			Cause: "the placement of code in a binary alone does as much, and there is one binary of each side",
			Try:   "build both again with other placements (go build -ldflags=-randlayout=N), and see whether it stays",
		})
	}
	if w, open := cpu.series.Open(a); open && !c.errors().rose() {
		out = append(out, w)
	}
	return out
}
