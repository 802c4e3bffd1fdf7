package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
)

// What calibration does: a short run with a large effect says what a step
// costs, and a long one with a small effect says how much that is.
const (
	probeEffect = 0.20
	probeDuets  = 40
	stepNs      = 0.05 // what a step costs, roughly
	settingLen  = 5    // duets on one core and one copy of the files, as in a trial
)

// effects are the injected ones, as fractions.
var effects = []float64{0.02, 0.05}

func calibrateFlags(f *flag.FlagSet, s *settings) {
	measureFlags(f, s)
	f.IntVar(&s.duets, "duets", 240, "duets of a long run")
}

// runCalibrate finds for each subject and effect the number of steps, and
// defines the effect by a long run.
func runCalibrate(ctx context.Context, s *settings) (err error) {
	list, err := chosen(s.subjects)
	if err != nil {
		return err
	}
	if s.subjects == "" {
		list = append(list[:len(list):len(list)], gated)
	}
	j, err := openJournal(s.results)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	n, err := startLoad(s.load, s.seed)
	if err != nil {
		return err
	}
	defer n.stop()
	for _, sub := range list {
		if err := s.calibrate(ctx, j, n, sub); err != nil {
			return fmt.Errorf("calibrating %s: %w", sub.name, err)
		}
	}
	return nil
}

func (s *settings) calibrate(ctx context.Context, j *journal, n *neighbour, sub subject) error {
	var todo []Record
	for _, e := range effects {
		r := Record{Key: fmt.Sprintf("calibrate/%s/%g", sub.name, e), Verb: "calibrate", Subject: sub.name, Effect: e, Seed: s.seed, Load: n.spec}
		if sub.name == gated.name && e != gateEffect {
			continue
		}
		// What an earlier, shorter run found stays the number of steps: binaries
		// with that many were compared since.
		known, m, err := steps(j.all, sub.name, e)
		if err == nil && m.Duets >= s.duets {
			continue
		}
		r.Steps = known
		todo = append(todo, r)
	}
	if len(todo) == 0 {
		return nil
	}
	m, err := s.module(ctx, sub)
	if err != nil {
		return err
	}
	c, err := s.calibrator(ctx, m)
	if err != nil {
		return err
	}
	defer c.local.Close()
	per := 0.0
	for _, r := range todo {
		w := n.watch()
		if r.Steps == 0 && per == 0 {
			if per, err = c.perStep(ctx); err != nil {
				return err
			}
		}
		if r.Steps == 0 {
			r.Steps = min(maxSteps, max(1, int(math.Round(r.Effect/per))))
		}
		if r.Measured, err = c.effect(ctx, r.Steps, s.duets); err != nil {
			return err
		}
		r.Measured.Conditions = w.end()
		if err := n.alive(); err != nil {
			return err
		}
		if err := j.add(r); err != nil {
			return err
		}
		s.printf("%s: %d steps are %+.2f %% [%+.2f, %+.2f], %d duets of sd %.1f %%, %.4g ns/op", sub.name, r.Steps,
			100*r.Measured.Change, 100*r.Measured.Lo, 100*r.Measured.Hi, r.Measured.Duets, 100*r.Measured.SD, r.Measured.PerOp)
	}
	return nil
}

// A calibrator runs duets of one program with different numbers of steps.
type calibrator struct {
	suite *bench.Suite
	local *trial.Local
	pkg   gocmd.Package
	base  *bench.Binary
	plan  model.Plan
	rng   *rand.Rand
	units int
}

// calibrated has each of the chosen benchmarks looked at under the load.
func (s *settings) calibrated(ctx context.Context, look func(*calibrator, subject) error) error {
	list, err := chosen(s.subjects)
	if err != nil {
		return err
	}
	n, err := startLoad(s.load, s.seed)
	if err != nil {
		return err
	}
	defer n.stop()
	for _, sub := range list {
		m, err := s.module(ctx, sub)
		if err != nil {
			return err
		}
		c, err := s.calibrator(ctx, m)
		if err == nil {
			err = look(c, sub)
			c.local.Close()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", sub.name, err)
		}
	}
	return n.alive()
}

func (s *settings) calibrator(ctx context.Context, m module) (*calibrator, error) {
	if err := m.checkout(ctx, "base"); err != nil {
		return nil, err
	}
	state := filepath.Join(s.work, "state", m.name)
	if err := os.MkdirAll(state, 0o777); err != nil {
		return nil, err
	}
	g, err := gocmd.New(ctx, gocmd.Config{
		Dir: m.dir, Env: append(os.Environ(), goEnv...), GOWORK: "off", State: state, Meter: gocmd.NewMeter(time.Now()),
	})
	if err != nil {
		return nil, err
	}
	c := &calibrator{rng: rand.New(rand.NewPCG(s.seed, 11))}
	if c.suite, err = bench.Prepare(ctx, g, filepath.Join(state, "suite")); err != nil {
		return nil, err
	}
	pkgs, err := g.List(ctx, m.pattern())
	if err != nil {
		return nil, err
	}
	if len(pkgs) != 1 {
		return nil, fmt.Errorf("%s is %d packages", m.pattern(), len(pkgs))
	}
	c.pkg = pkgs[0]
	if c.base, err = c.suite.Build(ctx, c.pkg, "base", gocmd.BuildOpts{Overlay: true}); err != nil {
		return nil, err
	}
	if c.plan, err = c.suite.Calibrate(ctx, c.base, m.benchmark(), 0); err != nil {
		return nil, err
	}
	if c.plan.Mode != model.Duet {
		return nil, fmt.Errorf("%s is no benchmark for duets: %v", m.bench, c.plan.Warnings)
	}
	c.local = trial.NewLocal(c.suite)
	return c, nil
}

func (c *calibrator) perOp() float64 { return c.plan.SliceNs / float64(c.plan.N) }

// perStep returns the relative effect of one step. Effects grow evenly with the
// steps, so a large one tells it best.
func (c *calibrator) perStep(ctx context.Context) (float64, error) {
	steps := int(probeEffect * c.perOp() / stepNs)
	if steps < 1 || steps > maxSteps {
		return 0, fmt.Errorf("an operation of %.3g ns is too short or too long to be slowed down by steps", c.perOp())
	}
	ds, err := c.duets(ctx, steps, probeDuets)
	if err != nil {
		return 0, err
	}
	per := math.Expm1(trimmed(ds)) / float64(steps)
	if !(per > 0) {
		return 0, fmt.Errorf("%d steps make no difference", steps)
	}
	return per, nil
}

// effect measures at length what so many steps make of a benchmark.
func (c *calibrator) effect(ctx context.Context, steps, duets int) (*Measured, error) {
	ds, err := c.duets(ctx, steps, duets)
	if err != nil {
		return nil, err
	}
	lo, hi := blockInterval(ds, settingLen, c.rng)
	return &Measured{
		Change: round(math.Expm1(trimmed(ds)), 5), Lo: round(math.Expm1(lo), 5), Hi: round(math.Expm1(hi), 5),
		Duets: len(ds), SD: round(spread(ds), 5), PerOp: round(c.perOp(), 2),
	}, nil
}

// spread is 1.4826 times the median absolute deviation.
func spread(xs []float64) float64 {
	m := median(xs)
	dev := make([]float64, len(xs))
	for i, x := range xs {
		dev[i] = math.Abs(x - m)
	}
	return 1.4826 * median(dev)
}

func (c *calibrator) duets(ctx context.Context, steps, n int) ([]float64, error) {
	arms := [2]*bench.Binary{}
	for i, k := range []int{0, steps} {
		b := *c.base
		b.Path = filepath.Join(filepath.Dir(c.base.Path), fmt.Sprintf("steps%d.test", i))
		if err := stepBinary(b.Path, c.base.Path, k); err != nil {
			return nil, err
		}
		arms[i] = &b
	}
	var ds []float64
	for i := range n {
		d, err := c.unit(ctx, arms[0], arms[1], i%settingLen == 0)
		if err != nil {
			return nil, err
		}
		ds = append(ds, d)
	}
	return ds, nil
}

func (c *calibrator) unit(ctx context.Context, base, cand *bench.Binary, fresh bool) (float64, error) {
	pair, err := c.local.Unit(ctx, c.plan, base, cand, trial.Unit{Index: c.units, BaseFirst: c.rng.IntN(2) == 0, Fresh: fresh})
	if err != nil {
		return 0, err
	}
	c.units++
	if !(pair[0].CPUNs > 0) || !(pair[1].CPUNs > 0) {
		return 0, fmt.Errorf("duet %d took no time", c.units)
	}
	return math.Log(pair[1].CPUNs / pair[0].CPUNs), nil
}
