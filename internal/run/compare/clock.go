package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// The budget is a ceiling: the context of a comparison ends with it, and with
// it any build, benchmark or guardrail that still runs. What is needed to end in
// order is set aside before.
//
// recording is the part of the budget for the records of a gate that has some.
const recording = 0.1

// A clock knows how much of the budget there is for what.
type clock struct {
	start    time.Time
	budget   time.Duration
	crowd    float64 // load average per CPU when the run began
	graphs   bool    // profiles are taken for a page
	recorded bool    // there are records to check at the end
}

// atEnd is the time between the last measurement and the end of the budget.
func (c *clock) atEnd() time.Duration { return testbed.AtEnd(c.budget, c.crowd) }

// spent reports whether ctx ended because the budget did.
func spent(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }

// left is how much time there is for what judges benchmarks: the budget less
// what is set aside for profiles, for records, and to end in order.
func (c *clock) left() time.Duration {
	return c.budget - c.atEnd() - c.reserve() - time.Since(c.start)
}

func (c *clock) reserve() time.Duration {
	var d time.Duration
	if c.graphs {
		d += time.Duration(graphShare * float64(c.budget))
	}
	if c.recorded {
		d += c.recordTime()
	}
	return d
}

// recordTime is set aside for the guardrails of records.
func (c *clock) recordTime() time.Duration { return time.Duration(recording * float64(c.budget)) }

// until is how long it is until the deadline of ctx, which has one.
func until(ctx context.Context) time.Duration {
	d, _ := ctx.Deadline()
	return time.Until(d)
}

// A part of what is left of the budget may be taken before a benchmark is
// judged, and leastMeasure at least: in less there is nothing to judge.
const (
	listShare    = 4 // of listing the benchmarks of one package, on each side
	calibShare   = 2 // of calibrating all benchmarks
	leastMeasure = 10 * time.Second
)

// Building the base begins no further package after a third of the budget, and
// building the candidate none when less than a fifth is left: a few packages
// that are compared say more than all of them built. The first one is always
// begun.
const (
	baseShare = 1.0 / 3
	candShare = 4.0 / 5
)

// mayBuild reports whether another package of a side may be begun.
func (c *clock) mayBuild(side model.Arm) bool {
	share := baseShare
	if side == model.Candidate {
		share = candShare
	}
	return time.Since(c.start) < time.Duration(share*float64(c.budget))
}

// lateBuild is why a benchmark was not even built.
func (c *clock) lateBuild() string {
	return fmt.Sprintf("not built: the budget of %s was spent on building; what is built is cached, so that the next run comes further", c.budget)
}

// about is a time that is an estimate: "40 s", "4 min".
func about(d time.Duration) string {
	if d < 100*time.Second {
		return fmt.Sprintf("%.0f s", max(1, d.Round(time.Second).Seconds()))
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}

// usualSD is the noise of a duet on a machine that others use, too: what is
// expected of a benchmark without known duets.
const usualSD = 0.02

// crowded is how many times as long as on an idle machine things take, by the
// wall time and the CPU time of a census: from 1 to mostCrowded.
func crowded(all []*contest) float64 {
	var wall, cpu float64
	for _, q := range all {
		for _, x := range q.census.Pair {
			wall, cpu = wall+x.WallNs*float64(x.N), cpu+x.CPUNs*float64(x.N)
		}
	}
	if cpu <= 0 {
		return 1
	}
	return min(max(wall/cpu, 1), mostCrowded)
}

const mostCrowded = 20

// usualUnit is how long a duet is taken to last until one has been timed.
const usualUnit = 300 * time.Millisecond

// need is how long a contest will take by what is known of it: as many duets as
// a candidate that does nothing takes, and some pairs of fresh links where the
// first duets look like a difference, or before none is claimed.
func (q *contest) need() time.Duration {
	sd, effect := usualSD, 0.0
	if v := q.c.Verdict; v != nil && v.Units > 0 {
		sd, effect = max(v.NoiseSD, 0.001), min(max(v.Change, -v.Change), 0.99)
	}
	units := judge.UnitsFor(sd, effect, q.rules.Judge)
	switch {
	case q.onLinks():
		units *= linkShare
	case q.lookable():
		units += linkShare * verdict.Looks
	}
	return time.Duration(units) * cmp.Or(q.unit, usualUnit)
}
