package loop

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/trial"
)

// How many interleaved pairs the confirmation of a kept change, and that of the
// whole run, take: enough to contradict a verdict grossly, not to make one.
const (
	soloRuns  = 3
	finalRuns = 5
)

// soloDisagrees is how much slower in wall time a change must look, in all
// pairs, for the confirmation to be a warning.
const soloDisagrees = 0.02

// solo confirms a change that is about to be kept as users will run it: the
// testing package as installed, their GOMAXPROCS, nothing pinned.
func (s *Session) solo(ctx context.Context, t *tried) error {
	bm := t.Verdicts[0].Benchmark
	s.detail("confirming with the stock testing package")
	cand, err := s.stock(ctx, t.next, bm.Pkg)
	if err != nil {
		return err
	}
	base := s.now.stock[bm.Pkg]
	if base == nil { // the tree has moved on: built now, it would be the candidate
		return fmt.Errorf("%s did not build without the change and with the stock testing package", bm.Pkg)
	}
	solo, walls, err := s.pairs(ctx, base, cand, bm, soloRuns)
	if err != nil {
		return err
	}
	t.Solo = &solo
	slower := 0
	for _, w := range walls {
		if w > soloDisagrees {
			slower++
		}
	}
	if slower == len(walls) {
		t.Warnings = append(t.Warnings, model.Warning{
			Seen:  fmt.Sprintf("with GOMAXPROCS=%d and the stock testing package, %s took more wall time in all of %d pairs (median %+.1f %%)", solo.Procs, bm, len(walls), 100*solo.WallChange),
			Cause: "CPU time and wall time differ when the collector works on other cores, or when the machine is busy",
			Try:   "look at this change once more before merging it",
		})
	}
	return nil
}

// stockBefore builds what a change will be confirmed against, if it comes to
// that, while the tree is without it. Mostly it is there: the base's are, and
// that of the package which the last kept change was confirmed in. One that does
// not build is missed when there is something to be confirmed.
func (s *Session) stockBefore(ctx context.Context, c model.Change) error {
	if p, ok := s.primary(c); ok {
		_, _ = s.stock(ctx, s.now, p.Benchmark.Pkg)
	}
	return ctx.Err()
}

// stock returns the test binary of one package of v with the testing package
// as installed. The tree must hold v, unless v has been asked before.
func (s *Session) stock(ctx context.Context, v *version, pkg string) (*bench.Binary, error) {
	return s.cached(ctx, v.stock, v.name+"-stock", s.pkgs[pkg], gocmd.BuildOpts{})
}

// pairs runs interleaved pairs of solo runs, and returns the relative changes
// of wall time too.
func (s *Session) pairs(ctx context.Context, base, cand *bench.Binary, bm model.Benchmark, n int) (model.Solo, []float64, error) {
	p := s.plan(bm)
	solo := model.Solo{Benchmark: bm, Procs: userProcs(s.opt.Env), Runs: n}
	var walls, cpus []float64
	for i := range n {
		var wall, cpu [2]float64
		for _, arm := range []int{i % 2, 1 - i%2} { // ABBA: a drift hits both alike
			b := []*bench.Binary{base, cand}[arm]
			err := patiently(ctx, func() (err error) {
				wall[arm], cpu[arm], err = s.suite.Solo(ctx, b, bm, p.N, solo.Procs)
				return err
			})
			if err != nil {
				return solo, nil, fmt.Errorf("confirming %s: %w", bm.Name, err)
			}
		}
		walls = append(walls, ratio(wall))
		cpus = append(cpus, ratio(cpu))
		solo.WallBefore = append(solo.WallBefore, wall[0])
		solo.WallAfter = append(solo.WallAfter, wall[1])
	}
	solo.WallChange, solo.CPUChange = trial.Median(walls), trial.Median(cpus)
	return solo, walls, nil
}

func ratio(x [2]float64) float64 {
	if !(x[0] > 0) {
		return math.NaN()
	}
	return x[1]/x[0] - 1
}

// userProcs returns the GOMAXPROCS that a program of the user would have.
func userProcs(env []string) int {
	for _, kv := range env {
		if v, ok := cutEnv(kv, "GOMAXPROCS"); ok {
			if n, err := strconv.Atoi(v); err == nil && n > 0 {
				return n
			}
		}
	}
	return runtime.GOMAXPROCS(0)
}

func cutEnv(kv, key string) (string, bool) {
	if len(kv) > len(key) && kv[:len(key)] == key && kv[len(key)] == '=' {
		return kv[len(key)+1:], true
	}
	return "", false
}

func remove(bins map[string]*bench.Binary) {
	for _, b := range bins {
		_ = os.Remove(b.Path)
	}
}
