package loadtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/judge"
)

// Options say what to compare, and how. A zero field has the default that its
// comment names.
type Options struct {
	// Base and Candidate are the two programs, Command the load command, each
	// as one would write it in a shell; see the package comment.
	Base, Candidate, Command string

	Dir string   // where all three run; "" is the current directory
	Env []string // their environment, to which the address is added; nil is that of this process

	Alpha      float64       // error rate of all claims together; 0.05
	MinEffect  float64       // what counts as a change of CPU time per request; 0.02
	MinLatency float64       // what counts as a change of a latency; 0.10, or MinEffect where that is more
	Quantiles  []string      // the latencies to judge; p50 and the highest of p99, p95 and p90
	MaxUnits   int           // 60
	Budget     time.Duration // for all of it, the warm-up included; no limit
	WarmUp     int           // units of base against base; 4, and less than 0 is none
	Warm       int           // load runs after each start of the programs that do not count; none
	Ready      time.Duration // for a program to listen; 10 s
	Timeout    time.Duration // for one run of the load command; 2 min
	Seed       uint64        // of the coin
	Alternate  bool          // one program under load at a time, instead of both
	Anywhere   bool          // on any core, for what is limited otherwise, or has to have several
	Priced     bool          // memory is a price that the caller weighs: a rise leaves nothing open

	Meter *gocmd.Meter
	Watch func(Progress) // called after each unit; nil is nobody
}

// Progress is how far a comparison has come.
type Progress struct {
	WarmUp  bool // the unit was one of base against base
	Units   int  // of the warm-up, or of the comparison
	Metrics []model.LoadMetric
	// Noise is what the warm-up said, once it is over: SD and Sees are those
	// of CPU time per request, DuetNs is what a unit takes, and Seconds what
	// the comparison is expected to take.
	Noise *model.Noise
}

// named is what stands for the name of a benchmark in the verdicts and the
// noise of a comparison under load.
var named = model.Benchmark{Name: "load"}

func (o Options) withDefaults() Options {
	o.Alpha = cmp.Or(o.Alpha, 0.05)
	o.MinEffect = cmp.Or(o.MinEffect, 0.02)
	o.MinLatency = cmp.Or(o.MinLatency, max(0.10, o.MinEffect))
	o.MaxUnits = cmp.Or(o.MaxUnits, 60)
	o.WarmUp = max(0, cmp.Or(o.WarmUp, 4))
	o.Ready = cmp.Or(o.Ready, 10*time.Second)
	o.Timeout = cmp.Or(o.Timeout, 2*time.Minute)
	if o.Env == nil {
		o.Env = os.Environ()
	}
	return o
}

// A comparison is one call of Compare.
type comparison struct {
	Options
	runner
	base, candidate command

	started time.Time
	noise   *model.Noise
	claims  []*claim // CPU time per request first; none before the first report
	coarse  []string // latencies that are not judged, and why
	runs    []model.LoadRunPair
}

// Compare runs both programs under the load command until it is clear what the
// candidate does to the CPU time per request and to the latencies, or the
// budget or the number of units is spent, which is no error. What was found so
// far comes with any error; it is nil where nothing could be run. No process
// that was started is left when Compare returns.
func Compare(ctx context.Context, o Options) (*model.Load, []model.Warning, error) {
	c, err := prepare(o.withDefaults())
	if err != nil {
		return nil, nil, err
	}
	if err := c.warmUp(ctx); err != nil {
		return c.result(), c.warnings(), err
	}
	for !c.enough() {
		pair, err := c.unit(ctx, [2]command{c.base, c.candidate})
		if err == nil {
			err = c.add(pair)
		}
		if err != nil {
			return c.result(), c.warnings(), err
		}
		c.watch(Progress{Units: len(c.runs), Metrics: c.metrics(), Noise: c.noise})
	}
	return c.result(), c.warnings(), nil
}

// prepare checks what can be checked before anything runs.
func prepare(o Options) (*comparison, error) {
	if err := supported(); err != nil {
		return nil, err
	}
	if err := o.rules(o.MinEffect, 1).Judge.Validate(); err != nil {
		return nil, err
	}
	if err := o.rules(o.MinLatency, 1).Judge.Validate(); err != nil {
		return nil, err
	}
	c := &comparison{Options: o, started: time.Now()}
	c.runner = runner{
		starter: starter{meter: o.Meter, dir: o.Dir, env: o.Env}, ready: o.Ready, timeout: o.Timeout,
		alternate: o.Alternate, anywhere: o.Anywhere, warm: max(0, o.Warm), coin: rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15)),
	}
	var errs [3]error
	c.base, errs[0] = newCommand("base program", o.Base, o.Dir)
	c.candidate, errs[1] = newCommand("candidate program", o.Candidate, o.Dir)
	c.load, errs[2] = newCommand("load command", o.Command, o.Dir)
	return c, errors.Join(errs[:]...)
}

// rules returns what a claim that is one of several is judged by: each may err
// with its part of Alpha, so that all together err with Alpha at most. There is
// one binary of each side, and the question is about these two. Where memory
// rose as well, it stays open whether the candidate costs less.
func (o Options) rules(effect float64, claims int) verdict.Rules {
	r := verdict.Rules{Judge: judge.RegressRules(), Floor: effect, From: verdict.Load, OwnLayout: true, AnySlowdown: true, GuardsDoubt: true}
	r.Judge.Alpha, r.Judge.MinEffect, r.Judge.MaxUnits = o.Alpha/float64(claims), effect, o.MaxUnits
	return r
}

func (c *comparison) watch(p Progress) {
	if c.Watch != nil {
		c.Watch(p)
	}
}

// add takes a unit.
func (c *comparison) add(pair model.LoadRunPair) error {
	if err := c.claim(pair); err != nil {
		return err
	}
	d, err := costRatio(pair)
	if err != nil {
		return err
	}
	if err := c.claims[0].series.Add(d); err != nil {
		return fmt.Errorf("cpu/request: %w", err)
	}
	for _, m := range c.claims[1:] {
		if err := m.add(pair); err != nil {
			return err
		}
	}
	c.runs = append(c.runs, pair)
	return nil
}

// costRatio returns the log ratio of the CPU times per request of a unit.
func costRatio(pair model.LoadRunPair) (float64, error) {
	b, c := perRequest(pair.Base), perRequest(pair.Candidate)
	if !positive(b) || !positive(c) {
		return 0, fmt.Errorf("the programs used no measurable CPU time for %.0f and %.0f requests: give the load command a longer duration",
			pair.Base.Requests, pair.Candidate.Requests)
	}
	return math.Log(c / b), nil
}

// perRequest returns CPU nanoseconds per request.
func perRequest(r model.LoadRun) float64 { return r.CPUNs / r.Requests }

// enough reports whether the comparison may end. It may end at any unit: what
// the judge says holds at whatever unit one stops.
func (c *comparison) enough() bool {
	switch {
	case len(c.runs) == 0:
		return false
	case len(c.runs) >= c.MaxUnits,
		c.Budget > 0 && time.Since(c.started) >= c.Budget,
		len(c.runs) >= minErrorUnits && c.errors().rose():
		return true
	}
	return !slices.ContainsFunc(c.claims, func(m *claim) bool { return !m.answered() && !m.hopeless() })
}

// warmUp runs base against base, which shows what noise there is and what a
// unit takes.
func (c *comparison) warmUp(ctx context.Context) error {
	var ds []float64
	var spent time.Duration
	for i := range c.WarmUp {
		if c.Budget > 0 && time.Since(c.started) > c.Budget/4 {
			break
		}
		from := time.Now()
		pair, err := c.unit(ctx, [2]command{c.base, c.base})
		if err != nil {
			return err
		}
		d, err := costRatio(pair)
		if err != nil {
			return err
		}
		if err := c.claim(pair); err != nil {
			return err
		}
		ds, spent = append(ds, d), spent+time.Since(from)
		if i < c.WarmUp-1 {
			c.watch(Progress{WarmUp: true, Units: i + 1})
		}
	}
	if len(ds) > 0 {
		c.noise = c.expect(ds, spent/time.Duration(len(ds)))
		c.watch(Progress{WarmUp: true, Units: len(ds), Noise: c.noise})
	}
	return nil
}

// expect says what can be seen at the noise of ds, log ratios of base against
// base.
func (c *comparison) expect(ds []float64, unit time.Duration) *model.Noise {
	n := &model.Noise{Benchmark: named, SD: verdict.NoiseSD(ds), DuetNs: float64(unit), Duets: len(ds)}
	rules := c.rules(c.MinEffect, len(c.claims)).Judge
	units := rules.MaxUnits
	if left := c.Budget - time.Since(c.started); c.Budget > 0 {
		units = min(units, max(1, int(left/unit)))
	}
	n.Sees = min(1, judge.Sees(n.SD, rules, units))
	n.Seconds = unit.Seconds() * float64(min(units, judge.UnitsFor(n.SD, 0, rules)))
	return n
}
