package bench

import (
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// Shares above which a plan carries a warning.
const (
	timedShare  = 0.1  // timed set-up in a slice
	chargeShare = 0.02 // the clock's own cost in the timed region
	setupShare  = 0.9  // untimed work in a process
	longOp      = 60e6 // ns
)

// warnings says what weakens the figures of a plan.
func (c *calibration) warnings(p model.Plan, perOp float64, why string) []model.Warning {
	var out []model.Warning
	add := func(seen, cause, try string) {
		out = append(out, model.Warning{Seen: seen, Cause: cause, Try: try})
	}
	if p.Mode == model.Alternate {
		add(fmt.Sprintf("%s is compared by wall time in alternating slices, of low precision", p.Benchmark), why,
			"benchmark the work itself on one goroutine, without waiting, if that is what matters")
	}
	if c.manyErr != nil {
		add(fmt.Sprintf("%s did not run under the user's GOMAXPROCS: %v", p.Benchmark, c.manyErr),
			"its name or its work depends on the number of processors", "")
	}
	if p.TimedNs > timedShare*sliceGoal {
		add(fmt.Sprintf("%s times %v of set-up in each slice, %.0f %% of it", p.Benchmark, short(p.TimedNs), 100*p.TimedNs/p.SliceNs),
			"the set-up is inside the timed region", "call b.ResetTimer after the set-up, or write the loop with b.Loop")
	}
	if stops := float64(c.far.stops) / float64(c.far.n); stops*c.far.charge > chargeShare*perOp {
		add(fmt.Sprintf("%s stops its timer %.3g times per op, which costs %v of %v CPU time per op", p.Benchmark, stops, short(stops*c.far.charge), short(perOp)),
			"reading the CPU clock is charged to the timed region; it is subtracted, and its noise is not",
			"prefer the wall time, or do the untimed work once for many iterations")
	}
	if p.Mode == model.Duet && perOp >= longOp {
		add(fmt.Sprintf("one iteration of %s takes %v, so a slice has %d", p.Benchmark, short(perOp), p.N),
			"the operation is long", "benchmark a smaller input to see small differences")
	}
	if all := p.SetupNs + p.SliceNs; p.SetupNs > setupShare*all {
		add(fmt.Sprintf("%.0f %% of the CPU time of %s is outside its timed region: about %.1f s for one comparison of two slices", 100*p.SetupNs/all, p.Benchmark, 2*all/1e9),
			"its set-up dominates", "make the set-up smaller, or share it between benchmarks with sync.Once only if it may be shared")
	}
	return out
}

func short(ns float64) time.Duration {
	d := time.Duration(ns)
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if d >= unit {
			return d.Round(unit / 100)
		}
	}
	return d
}
