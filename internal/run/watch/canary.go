package watch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/explain/diagnose"
	"github.com/pawl-dev/pawl/internal/explain/metrics"
	"github.com/pawl-dev/pawl/internal/explain/worth"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// CanaryOptions say which programs are compared, and how.
type CanaryOptions struct {
	Baseline, Canary Target
	Per              string        // a counter of work; "" is seconds, at equal load
	Window           time.Duration // whole seconds
	For              time.Duration
	Alpha            float64
	Tolerated        float64
	MinEffect        float64
	Seed             uint64
	Tool             string
	Say              func(string)
	// Since is a commit, "" for none: what of the module around Dir is not as it was then
	// is held against the functions that differ.
	Since, Dir string
}

// processCPU is what the process collector of Prometheus clients calls CPU time.
const processCPU = "process_cpu_seconds_total"

// What a comparison does without: windows in a row in which nothing could be read, and
// windows whose profiles are kept in memory.
const (
	mostLost     = 5
	mostProfiled = 60
)

// A side is one of two programs.
type side struct {
	*service
	name     string
	profiles []profile.Source
	ops      float64 // in the time of the profiles
	costs    []float64
	work     float64 // all units of it
}

// A canary is a comparison under way.
type canary struct {
	o      CanaryOptions
	sides  [2]*side // baseline and canary
	per    *metrics.Counter
	cpu    metrics.Counter
	pages  bool // CPU time is from the pages of metrics
	coin   *rand.Rand
	ruling *ruling
	left   int
	lost   string // why the last windows were left out
	edited []worth.Func
}

// Canary compares two programs until there is a verdict or the time is over. The error is
// one of usage, or says that a program cannot be read at all; an interrupt is none where
// there is something to show, and leaves the verdict open.
func Canary(ctx context.Context, o CanaryOptions) (*model.Canary, error) {
	c := &canary{o: o, coin: rand.New(rand.NewPCG(o.Seed, 1)), ruling: newRuling(o.Alpha, o.Tolerated, o.MinEffect, int(o.For/o.Window))}
	for i, t := range []Target{o.Baseline, o.Canary} {
		s, done, err := t.program(ctx, "a canary, or its baseline,")
		if err != nil {
			return nil, err
		}
		defer done()
		c.sides[i] = &side{service: s, name: s.name()}
	}
	if o.Since != "" {
		var err error
		if c.edited, err = edited(ctx, o.Dir, o.Since); err != nil {
			return nil, err
		}
	}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	start := time.Now()
	for lost := 0; lost < mostLost && time.Since(start)+o.Window <= o.For+o.Window/2 && c.ruling.verdict() == model.CanaryUndecided; {
		err := c.window(ctx)
		switch {
		case ctx.Err() != nil && len(c.ruling.ratios) == 0:
			return nil, ctx.Err()
		case ctx.Err() != nil:
			return c.result(start)
		case err == nil:
			lost = 0
			continue
		}
		lost++
		c.left++
		c.lost = reason(err)
		o.Say("a window is left out: " + c.lost)
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
	if len(c.ruling.ratios) == 0 && c.left > 0 {
		return nil, errors.New(c.lost)
	}
	return c.result(start)
}

// begin finds out what the programs tell of themselves.
func (c *canary) begin(ctx context.Context) error {
	var err error
	if c.cpu, err = metrics.ParseCounter(processCPU); err != nil {
		return err
	}
	if c.o.Per != "" {
		per, err := metrics.ParseCounter(c.o.Per)
		if err != nil {
			return testbed.Usagef("-per: %v", err)
		}
		c.per = &per
	}
	c.pages = true
	for _, s := range c.sides {
		page, err := s.Metrics(ctx)
		if err != nil {
			if c.per != nil || ctx.Err() != nil {
				return err
			}
			c.pages = false
			continue
		}
		if c.per != nil {
			if _, err := c.per.Sum(page); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		_, err = c.cpu.Sum(page)
		c.pages = c.pages && err == nil
	}
	return nil
}

// A point is what a side said at one end of a window.
type point struct {
	at        time.Time
	work, cpu float64
}

func (c *canary) read(ctx context.Context, s *side) (p point, err error) {
	if c.per == nil && !c.pages {
		return point{at: time.Now()}, nil
	}
	before := time.Now()
	page, err := s.Metrics(ctx)
	if err != nil {
		return p, err
	}
	p.at = before.Add(time.Since(before) / 2)
	if c.per != nil {
		p.work, err = c.per.Sum(page)
	}
	if err == nil && c.pages {
		p.cpu, err = c.cpu.Sum(page)
	}
	if err != nil {
		return p, fmt.Errorf("%s: %w", s.name, err)
	}
	return p, nil
}

// both reads both sides, in the order that the coin says.
func (c *canary) both(ctx context.Context, order []int) (p [2]point, err error) {
	for _, i := range order {
		if p[i], err = c.read(ctx, c.sides[i]); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (c *canary) window(ctx context.Context) error {
	order := []int{0, 1}
	if c.coin.IntN(2) == 1 {
		slices.Reverse(order)
	}
	before, err := c.both(ctx, order)
	if err != nil {
		return err
	}
	var taken [2]profile.Source
	var errs [2]error
	var wg sync.WaitGroup
	for _, i := range order {
		wg.Go(func() {
			_, taken[i], errs[i] = c.sides[i].Take(ctx, cpuKind, int(c.o.Window/time.Second))
		})
	}
	// Writing a profile costs a program some milliseconds, which are no work: the counters are read before.
	select {
	case <-time.After(c.o.Window - c.o.Window/20):
	case <-ctx.Done():
	}
	after, err := c.both(ctx, order)
	wg.Wait()
	if err := errors.Join(append(errs[:], err)...); err != nil {
		return err
	}
	var costs, work [2]float64
	for i, s := range c.sides {
		if costs[i], work[i], err = c.cost(before[i], after[i], taken[i].Profile); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if err := c.ruling.add(costs[0], costs[1]); err != nil {
		return err
	}
	for i, s := range c.sides {
		s.keep(costs[i], work[i], after[i].at.Sub(before[i].at).Seconds(), taken[i])
	}
	return nil
}

// keep adds what a side did in a window.
func (s *side) keep(cost, work, seconds float64, p profile.Source) {
	s.costs = append(s.costs, cost)
	s.work += work
	if len(s.profiles) < mostProfiled {
		p.Name = s.name
		s.profiles = append(s.profiles, p)
		s.ops += work * p.Profile.Seconds() / seconds
	}
}

// cost is the CPU time of a unit of work in a window, in ns, and how many units there
// were. Without a counter, a second is one.
func (c *canary) cost(before, after point, p *profile.Profile) (cost, work float64, err error) {
	seconds := after.at.Sub(before.at).Seconds()
	work = seconds
	if c.per != nil {
		work = after.work - before.work
	}
	var cpu float64
	if c.pages {
		cpu = (after.cpu - before.cpu) * 1e9
	} else {
		var all float64
		if all, _, err = p.Total("cpu"); err != nil {
			return 0, 0, err
		}
		cpu = all * seconds / max(p.Seconds(), 1e-3)
	}
	switch {
	case work < 0 || cpu < 0:
		return 0, 0, errors.New("counters fell: the program was started again")
	case work == 0:
		return 0, 0, fmt.Errorf("%s did not grow: it has no work", c.o.Per)
	case cpu == 0:
		return 0, 0, errors.New("it used no CPU time that could be measured")
	}
	return cpu / work, work, nil
}

// result is what was found so far.
func (c *canary) result(start time.Time) (*model.Canary, error) {
	d := c.ruling.seq.Decision()
	b, n := c.sides[0], c.sides[1]
	out := &model.Canary{
		Schema: model.SchemaVersion, Tool: c.o.Tool, Started: start.UTC(), Seconds: time.Since(start).Seconds(),
		Baseline: b.name, Canary: n.name, Per: "second", From: "profile",
		Verdict: c.ruling.verdict(), Before: verdict.Median(b.costs), After: verdict.Median(n.costs),
		Change: d.Estimate, Alpha: c.o.Alpha, Tolerated: c.o.Tolerated, MinEffect: c.o.MinEffect,
		Units: d.Units, Left: c.left, NoiseSD: d.NoiseSD, Ratios: c.ruling.ratios,
	}
	out.Lo, out.Hi = d.Finite()
	out.Why = c.ruling.why(out.Verdict)
	if out.Verdict == model.CanaryUndecided && c.lost != "" {
		out.Why += "; windows were left out: " + c.lost
	}
	if c.per != nil {
		out.Per = c.o.Per
	}
	if c.pages {
		out.From = "metrics"
	}
	per := diagnose.Per{Second: true}
	if c.per != nil {
		per = diagnose.Per{BaseOps: b.ops, NowOps: n.ops}
	}
	if d.Units > 0 {
		var err error
		out.Compared, out.Warnings, err = diagnose.Compare(b.profiles, n.profiles, diagnose.Options{Per: per})
		for i := range out.Compared {
			if c.o.Since != "" {
				out.Since, out.Edited = c.o.Since, c.edits(out.Compared[i].Functions)
			}
			// Once is enough.
			out.Compared[i].Base.Sources, out.Compared[i].Now.Sources = []string{b.name}, []string{n.name}
		}
		if err != nil {
			out.Warnings = append(out.Warnings, model.Warning{Seen: "the profiles of both sides cannot be compared: " + err.Error()})
		}
	}
	out.Warnings = append(out.Warnings, c.doubts()...)
	return out, nil
}

// doubts are what speaks against the figures.
func (c *canary) doubts() []model.Warning {
	var out []model.Warning
	if c.ruling.follows() {
		out = append(out, model.Warning{
			Seen:  "windows resemble the ones before them: the error rate is not what it says",
			Cause: "something slower than a window moves one side alone, such as a cache that fills or a batch",
			Try:   "a longer -window, or begin when both have been at work for a while",
		})
	}
	b, n := c.sides[0].work, c.sides[1].work
	if c.per != nil && b > 0 && n > 0 && (b > 2*n || n > 2*b) {
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("the sides had different loads: %s grew by %.0f on the baseline and by %.0f on the canary", c.o.Per, b, n),
			Cause: "traffic is shared out unevenly, and a unit of work costs less where there is more of it at once",
			Try:   "a fresh instance of the old version with the same share of the traffic as the baseline",
		})
	}
	return out
}
