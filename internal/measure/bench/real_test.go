package bench

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

var (
	realModule  = flag.String("real.module", "", "`directory` of a module to measure in TestReal")
	realPackage = flag.String("real.package", ".", "`pattern` of its package")
	realBench   = flag.String("real.bench", ".", "`regexp` of its benchmarks")
	realDuets   = flag.Int("real.duets", 40, "A/A duets of each")
)

// TestReal prints what this package finds out about the benchmarks of any
// module: plan, retained bytes, profiles, and the noise of A/A duets.
//
//	go test -run Real -v -real.module DIR -real.package ./x -real.bench Y
func TestReal(t *testing.T) {
	t.Parallel()
	if *realModule == "" {
		t.Skip("no -real.module")
	}
	dir, err := filepath.Abs(*realModule)
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	meter := gocmd.NewMeter(time.Now())
	g, err := gocmd.New(t.Context(), gocmd.Config{Dir: dir, Env: os.Environ(), GOWORK: "off", State: filepath.Join(tmp, "state"), Meter: meter})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Prepare(t.Context(), g, filepath.Join(tmp, "scratch"))
	if err != nil {
		t.Fatal(err)
	}
	env := Environment(t.Context(), g)
	t.Logf("%s, clock %s, %+v %+v %+v", g.Version, s.Clock(), s.Warnings(), env, SystemWarnings(env))
	pkgs, err := g.List(t.Context(), *realPackage)
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range pkgs {
		b, err := s.Build(t.Context(), pkg, "base", gocmd.BuildOpts{Overlay: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s built: %v", pkg.ImportPath, meter.Split(time.Now()))
		found, failed, err := s.Benchmarks(t.Context(), b, *realBench, 5*time.Minute)
		for _, f := range failed {
			t.Log(&f)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, bm := range found {
			t.Run(bm.String(), func(t *testing.T) { measureReal(t, s, b, bm) })
		}
	}
}

func measureReal(t *testing.T, s *Suite, b *Binary, bm model.Benchmark) {
	start := time.Now()
	p, err := s.Calibrate(t.Context(), b, bm, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("calibrated in %.2f s: N=%d slice %.0f ms set-up %.0f ms timed set-up %.1f ms %s %s", time.Since(start).Seconds(), p.N, p.SliceNs/1e6, p.SetupNs/1e6, p.TimedNs/1e6, p.Mode, p.Clock)
	for _, w := range p.Warnings {
		t.Logf("warning: %s; %s; %s", w.Seen, w.Cause, w.Try)
	}
	sample, err := s.Slice(t.Context(), b, p, SliceOpts{CPU: gocmd.NoCPU, Arm: model.Base})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("slice: cpu %.1f ns wall %.1f ns allocs/op %v B/op %v GCs %d stops %d", sample.CPUNs, sample.WallNs, sample.AllocsPerOp(), sample.BytesPerOp(), sample.GCs, sample.Stops)
	start = time.Now()
	kept, err := s.Retained(t.Context(), b, p)
	t.Logf("retained %.0f bytes, %v, %.2f s", kept, err, time.Since(start).Seconds())
	for _, kind := range []string{CPUProfile, MemProfile} {
		start = time.Now()
		prof, err := s.Profile(t.Context(), b, p, kind, filepath.Join(t.TempDir(), kind+".pprof"), 0)
		t.Logf("%s profile of %d iterations: %v, %.2f s", kind, prof.N, err, time.Since(start).Seconds())
	}
	if p.Mode == model.Duet && *realDuets > 1 {
		duetNoise(t, s, b, p)
	}
}

func duetNoise(t *testing.T, s *Suite, b *Binary, p model.Plan) {
	cpu, err := gocmd.QuietCPU()
	if err != nil {
		t.Skip(err)
	}
	one, err := s.Copy(b, "arm0")
	if err != nil {
		t.Fatal(err)
	}
	two, err := s.Copy(b, "arm1")
	if err != nil {
		t.Fatal(err)
	}
	var ratios, slices []float64
	start := time.Now()
	for i := range *realDuets {
		pair, err := s.Duet(t.Context(), one, two, p, DuetOpts{CPU: cpu, BaseFirst: i%4 == 0 || i%4 == 3, Unit: i})
		if err != nil {
			t.Fatal(err)
		}
		ratios = append(ratios, math.Log(pair[1].CPUNs/pair[0].CPUNs))
		slices = append(slices, (pair[0].AllCPUNs+pair[1].AllCPUNs)/1e9)
		if pair[0].Allocs != pair[1].Allocs || pair[0].Bytes != pair[1].Bytes {
			t.Logf("duet %d: allocs %d and %d, bytes %d and %d", i, pair[0].Allocs, pair[1].Allocs, pair[0].Bytes, pair[1].Bytes)
		}
	}
	wall := time.Since(start).Seconds()
	mean, sd := meanSD(ratios)
	cpuMean, _ := meanSD(slices)
	t.Logf("%d duets: mean ln ratio %+.2f %%, SD %.2f %%; %.3f s wall and %.3f s CPU each", *realDuets, 100*mean, 100*sd, wall/float64(*realDuets), cpuMean)
}

func meanSD(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		sd += (x - mean) * (x - mean) / float64(len(v)-1)
	}
	return mean, math.Sqrt(sd)
}
