package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// What calibration aims at; times in ns. The goals are from trials on a shared
// machine: slices of 100 to 150 ms are where noise per second spent is least,
// and below 25 collections in a slice their phase is the largest part of it.
const (
	sliceGoal   = 120e6 // CPU time of a slice
	sliceCap    = 1e9   // a slice is made longer than the goal up to here
	processCap  = 3e9   // of a whole process, where untimed work grows with N
	separation  = 40e6  // the least difference that a slope is taken from
	firstStep   = 200e6 // what the second probe takes at most, if all of the first was the loop
	stepGoal    = 60e6  // what later probes aim at
	gcGoal      = 25    // collections in a slice
	gcCap       = 150e6 // a slice is made longer for their sake up to here: more duets average as much noise
	maxN        = 1_000_000_000
	maxGrowth   = 100 // of the number of iterations from one probe to the next
	lowestBusy  = 0.8 // CPU ÷ wall below which a benchmark waits
	highestBusy = 1.1 // CPU ÷ wall above which it runs in parallel
	lowestAll   = 0.8 // of the processors: what a parallel benchmark that does not wait keeps busy
	// The same for binaries without hooks, and the two processors that a
	// parallel benchmark keeps busy at least are above it.
	highestStock = 1.4
)

// A calibration is what is known about one benchmark while it is calibrated.
type calibration struct {
	s        *Suite
	bin      *Binary
	bm       model.Benchmark
	baseline float64 // CPU time of a process of a stock binary that runs two iterations
	first    measure // the fewest iterations: one, or two of a stock binary
	far      measure // the most iterations so far
	busiest  float64 // largest CPU ÷ wall of the probes that took long enough
	many     measure // under the user's GOMAXPROCS; zero when that did not work
	manyErr  error
	deadline time.Time // zero for none
}

// Calibrate finds how a benchmark is to be sampled. It runs probes of a fixed
// number of iterations, never of a fixed time: with set-up inside the timed
// region testing's own ramp-up would repeat it dozens of times. The slope is
// taken between two probes once they differ by far more than their noise, and
// what the slope does not explain is set-up.
//
// The mode is Alternate for benchmarks that call RunParallel, and where the
// CPU time of an unpinned process is not within 0.8 to 1.1 of its wall time.
// Time in which its thread was ready and kept from running is not taken for
// waiting, nor the collector's own workers for running in parallel. In this
// mode the plan's SliceNs is wall time. The mode is Parallel where a benchmark
// that runs in parallel keeps its processors busy.
//
// All probes together take limit at most; 0 is no limit but that of each
// probe. A benchmark that needs more is a *Failure that is Late.
func (s *Suite) Calibrate(ctx context.Context, b *Binary, bm model.Benchmark, limit time.Duration) (model.Plan, error) {
	c := &calibration{s: s, bin: b, bm: bm}
	if limit > 0 {
		c.deadline = time.Now().Add(limit)
	}
	for _, step := range []func(context.Context) error{c.begin, c.separate, c.lookAgain, c.underUsersSettings} {
		err := step(ctx)
		var f *Failure
		if errors.As(err, &f) && f.Late && limit > 0 && limit < probeTimeout {
			f.Why = fmt.Sprintf("was not calibrated within %v", limit.Round(time.Millisecond))
		}
		if err != nil {
			return model.Plan{}, err
		}
	}
	return c.plan(), nil
}

// probeTries is how often a probe that fails is run before that is the answer.
const probeTries = 4

// probe runs n iterations in a process of its own; procs is its GOMAXPROCS,
// or 0 for the user's. One that fails is run again: it may have done so by
// chance, and without a plan the benchmark is lost.
func (c *calibration) probe(ctx context.Context, n int64, procs int, env ...string) (m measure, err error) {
	for range probeTries {
		m, err = c.probeOnce(ctx, n, procs, env...)
		var f *Failure
		if !errors.As(err, &f) || f.Late || f.Skipped {
			break
		}
	}
	return m, err
}

func (c *calibration) probeOnce(ctx context.Context, n int64, procs int, env ...string) (measure, error) {
	j := exactly(c.bin, c.bm, n)
	j.procs = procs
	j.env, j.probe = env, true
	if !c.deadline.IsZero() {
		j.timeout = min(j.timeout, max(time.Until(c.deadline), leastProbe))
	}
	return c.s.measure(ctx, j, c.baseline)
}

// busy returns the wall time of the timed region less the time that its
// thread was kept waiting for a core.
func (m measure) busy() float64 { return max(m.wall-m.wait, m.cpu, 1) }

// begin runs the shortest probe. Of a stock binary it is one of two
// iterations: testing runs the set-up of a b.N loop once for the first
// iteration and once for all others, and that is what is to be taken off.
func (c *calibration) begin(ctx context.Context) (err error) {
	if !c.bin.Stock {
		c.first, err = c.probe(ctx, 1, 1)
		return err
	}
	for range 3 {
		m, err := c.probe(ctx, 2, 1)
		if err != nil {
			return err
		}
		if c.first.n == 0 || m.rusage < c.first.rusage {
			c.first = m
		}
	}
	c.baseline, c.first.cpu = c.first.rusage, 0
	return nil
}

// separate runs longer and longer probes until the time of the loop stands
// out from that of the set-up, and from the noise of both.
func (c *calibration) separate(ctx context.Context) error {
	t1 := c.first.busy()
	for c.far = c.first; ; {
		n := c.next()
		m, err := c.probe(ctx, n, 1)
		if err != nil {
			return err
		}
		c.far = m
		c.note(m)
		if m.busy()-t1 >= max(separation, t1/2) || n == maxN {
			return nil
		}
	}
}

// note remembers how much of its time a probe used the CPU.
func (c *calibration) note(m measure) {
	if m.wall >= separation/4 {
		c.busiest = max(c.busiest, m.cpu/m.busy())
	}
}

// lookAgain repeats the longest probe of a benchmark that seems to wait. One
// that does so does it every time; a virtual machine that was held up did not
// run the benchmark in that time, and does not say so.
func (c *calibration) lookAgain(ctx context.Context) error {
	for range 2 {
		if c.far.par || c.busiest >= lowestBusy || c.busiest < lowestBusy/2 {
			return nil
		}
		m, err := c.probe(ctx, c.far.n, 1)
		if err != nil {
			return err
		}
		c.note(m)
	}
	return nil
}

func (c *calibration) next() int64 {
	t1, n := c.first.busy(), float64(c.far.n)
	if c.far.n == c.first.n {
		return c.far.n + int64(min(max(firstStep/t1, 1), maxGrowth))
	}
	want := n * max(stepGoal, 0.8*t1) / max(c.far.busy()-t1, 1)
	return int64(min(max(want, n+1), maxGrowth*n, maxN))
}

// slope returns how much a figure grows with each iteration.
func (c *calibration) slope(figure func(measure) float64) float64 {
	return (figure(c.far) - figure(c.first)) / float64(c.far.n-c.first.n)
}

// underUsersSettings runs one probe with the user's GOMAXPROCS, to see whether
// the benchmark runs in parallel. The collector is off in it: its work beside
// the benchmark would look the same, and its own account knows half of that.
// A benchmark that cannot be run that way is measured without it, where it can
// be.
func (c *calibration) underUsersSettings(ctx context.Context) error {
	b := max(c.slope(measure.busy), 0.1)
	n := int64(min(max(stepGoal/b, 2), maxN))
	for range 3 {
		m, err := c.probe(ctx, n, 0, "GOGC=off", "GOMEMLIMIT=1GiB")
		var failure *Failure
		switch {
		case err == nil:
		case errors.As(err, &failure) && !failure.Late && !c.far.par:
			c.manyErr = err
			return nil
		default:
			return err
		}
		// What runs in parallel does so every time; what only seemed to, since
		// the CPU time of its start was estimated too low, does not.
		if c.many.n == 0 || parallel(m) < parallel(c.many) {
			c.many = m
		}
		if c.many.par || parallel(c.many) <= c.highest() {
			return nil
		}
	}
	return nil
}

// highest is the number of busy CPUs above which a benchmark runs in parallel.
// Without hooks start and set-up are estimated, and so is the ratio.
func (c *calibration) highest() float64 {
	if c.bin.Stock {
		return highestStock
	}
	return highestBusy
}

// mode decides how the arms are run, and why it is not a duet.
func (c *calibration) mode() (model.Mode, string) {
	if c.far.par || c.many.par {
		return c.wide(), "it calls RunParallel"
	}
	if c.busiest > 0 && c.busiest < lowestBusy {
		return model.Alternate, fmt.Sprintf("it uses the CPU for %.0f %% of its time only: it sleeps, does I/O, or starts processes", 100*c.busiest)
	}
	if busy := parallel(c.many); busy > c.highest() {
		return c.wide(), fmt.Sprintf("it keeps %.1f CPUs busy: it runs goroutines in parallel", busy)
	}
	return model.Duet, ""
}

// wide is the mode of a benchmark that runs in parallel: where its threads used their
// processors, or were ready to, the CPU time of all of them says what an op takes.
func (c *calibration) wide() model.Mode {
	switch m := c.many; {
	case m.procs == 0, m.wall < separation/4, m.cpu+m.waits < lowestAll*m.wall*m.procs:
		return model.Alternate
	case m.procs == 1:
		return model.Duet
	}
	return model.Parallel
}

// parallel returns how many CPUs the benchmark keeps busy under the user's
// settings, less what the collector does beside it; 0 where that cannot be
// said: in a region of microseconds between StartTimer and StopTimer other
// threads are still settling after both have stopped the world.
func parallel(m measure) float64 {
	if m.wall < separation/4 || m.charge*float64(m.stops) > timedShare*m.cpu {
		return 0
	}
	return (m.cpu - m.bg) / m.wall
}

func (c *calibration) plan() model.Plan {
	p := model.Plan{Benchmark: c.bm, Clock: c.s.clockOf(c.bin)}
	var why string
	p.Mode, why = c.mode()
	perOp, timed := c.costs(p.Mode)
	p.N = c.iterations(perOp, timed)
	if p.Mode == model.Parallel { // as long as others by the clock
		p.N = int64(min(float64(p.N)*c.many.procs, maxN))
	}
	p.SliceNs = timed + perOp*float64(p.N)
	p.TimedNs = timed
	p.SetupNs = c.setup(p.N)
	if p.Mode == model.Alternate {
		p.Clock = model.ClockWall
	}
	p.Warnings = c.warnings(p, perOp, why)
	return p
}

// costs returns what one iteration takes, and the set-up that is timed with
// them: CPU time, or wall time in mode Alternate.
func (c *calibration) costs(m model.Mode) (perOp, timed float64) {
	figure := measure.ownCPU
	if m == model.Alternate {
		figure = func(m measure) float64 { return m.wall }
	}
	perOp = c.slope(figure)
	if !(perOp > 0) {
		perOp = max(c.slope(measure.busy), 0.01)
	}
	timed = max(0, figure(c.far)-perOp*float64(c.far.n))
	if m != model.Duet && c.many.n > 0 {
		perOp = max(0.01, (figure(c.many)-timed)/float64(c.many.n))
	}
	return perOp, timed
}

// iterations returns N for a slice.
func (c *calibration) iterations(perOp, timed float64) int64 {
	want := sliceGoal / perOp
	if timed > timedShare*sliceGoal {
		want = max(want, min(timed/timedShare, sliceCap)/perOp)
	}
	if gcs := float64(c.far.gcs) / float64(c.far.n); gcs > 0 && gcs*want < gcGoal {
		want = max(want, min(gcGoal/gcs, gcCap/perOp))
	}
	if c.bin.Stock { // the set-up's noise is in the figure
		want = max(want, min(5*c.baseline, sliceCap)/perOp)
	}
	if all := perOp + c.untimedPerOp(); want*all > processCap {
		want = processCap / all
	}
	return int64(math.Round(min(max(want, 2), maxN)))
}

// untimedPerOp returns the CPU time that each iteration spends with the timer
// stopped.
func (c *calibration) untimedPerOp() float64 {
	if c.far.stops == 0 {
		return 0
	}
	return max(0, c.slope(measure.untimed))
}

// setup returns the CPU time of a process of n iterations outside its timed
// region. Of a stock binary it is what makes the rest that of n iterations.
func (c *calibration) setup(n int64) float64 {
	if c.bin.Stock {
		return max(0, c.baseline-float64(c.first.n)*c.slope(measure.ownCPU))
	}
	return c.far.untimed() + c.untimedPerOp()*float64(n-c.far.n)
}
