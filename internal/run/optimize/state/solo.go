package state

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// Solo runs interleaved pairs of a benchmark as users will run it: the testing
// package as installed, their GOMAXPROCS, nothing pinned.
func (m *Module) Solo(ctx context.Context, base, cand *bench.Binary, p model.Plan, n int) (model.Solo, error) {
	bm := p.Benchmark
	solo := model.Solo{Benchmark: bm, Procs: procs(m.UserEnv), Runs: n}
	var walls, cpus []float64
	for i := range n {
		var wall, cpu [2]float64
		for _, arm := range []int{i % 2, 1 - i%2} { // ABBA: a drift hits both alike
			b := []*bench.Binary{base, cand}[arm]
			err := Patiently(ctx, func() (err error) {
				wall[arm], cpu[arm], err = m.Suite.Solo(ctx, b, bm, p.N, solo.Procs)
				return err
			})
			if err != nil {
				return solo, fmt.Errorf("confirming %s: %w", bm.Name, err)
			}
		}
		walls = append(walls, ratio(wall))
		cpus = append(cpus, ratio(cpu))
		solo.WallBefore = append(solo.WallBefore, wall[0])
		solo.WallAfter = append(solo.WallAfter, wall[1])
	}
	solo.WallChange, solo.CPUChange = verdict.Median(walls), verdict.Median(cpus)
	return solo, nil
}

func ratio(x [2]float64) float64 {
	if !(x[0] > 0) {
		return math.NaN()
	}
	return x[1]/x[0] - 1
}

// procs returns the GOMAXPROCS that a program of the user would have.
func procs(env []string) int {
	if n, err := strconv.Atoi(gocmd.Getenv(env, "GOMAXPROCS")); err == nil && n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Retained measures what a benchmark keeps between its iterations, in bytes.
func (v *binaries) Retained(ctx context.Context, p model.Plan) (bytes float64, err error) {
	err = Patiently(ctx, func() (err error) {
		bytes, err = v.m.Suite.Retained(ctx, v.bins[p.Benchmark.Pkg], p)
		return err
	})
	return bytes, err
}
