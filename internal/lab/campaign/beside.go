package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

func besideFlags(f *flag.FlagSet, s *settings) {
	measureFlags(f, s)
	f.IntVar(&s.duets, "duets", 40, "duets of each")
}

// runBeside shows what a build that runs beside duets does to them: equals, and one
// program that makes steps, with and without a build on the cores that the duets leave
// alone, in turns. It is what optimize builds ahead.
func runBeside(ctx context.Context, s *settings) error {
	cores := gocmd.Aside()
	if len(cores) == 0 {
		return errors.New("there is no core to build on beside a duet")
	}
	return s.calibrated(ctx, func(c *calibrator, sub subject) error { return c.beside(ctx, s, sub, cores) })
}

func (c *calibrator) beside(ctx context.Context, s *settings, sub subject, cores []int) error {
	builds := 0
	for _, steps := range []int{0, int(gateEffect * c.perOp() / stepNs)} {
		with := *c.base
		with.Path = filepath.Join(filepath.Dir(c.base.Path), "beside.test")
		if err := stepBinary(with.Path, c.base.Path, steps); err != nil {
			return err
		}
		var ds [2][]float64 // without and with a build
		for k := range 2 * s.duets {
			build := k / settingLen % 2
			end := func() {}
			if build == 1 {
				end = c.building(gocmd.OnCores(ctx, cores), &builds)
			}
			d, err := c.unit(ctx, c.base, &with, k%settingLen == 0)
			end()
			if err != nil {
				return err
			}
			ds[build] = append(ds[build], d)
		}
		fmt.Fprintf(s.stdout, "| %s | %d |", sub.bench, steps)
		for _, d := range ds {
			fmt.Fprintf(s.stdout, " %+.2f ± %.2f %%, noise %.1f %% |", 100*math.Expm1(trimmed(d)), 100*spread(d)/math.Sqrt(float64(len(d))), 100*spread(d))
		}
		fmt.Fprintf(s.stdout, " %d builds beside |\n", builds)
	}
	return nil
}

func (c *calibrator) building(ctx context.Context, builds *int) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			*builds++
			_, _ = c.suite.Build(ctx, c.pkg, "beside", gocmd.BuildOpts{Overlay: true, Flags: []string{fmt.Sprintf("-gcflags=-d=ssa/check/seed=%d", *builds)}})
		}
	}()
	return func() { cancel(); <-done }
}
