package bench

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// plan returns a plan of n iterations, not calibrated.
func plan(bm model.Benchmark, n int64) model.Plan {
	return model.Plan{Benchmark: bm, N: n, SliceNs: 1e6, Mode: model.Duet, Clock: model.ClockProcess}
}

// Each way to write a benchmark gives a sample whose counts are exact and of
// the timed region only.
func TestSlice(t *testing.T) {
	f := styles(t, true)
	b := f.binary(t, "good")
	for _, c := range []struct {
		name          string
		allocs, bytes uint64
		stops         int64
	}{
		{"BenchmarkN", 0, 0, 0},
		{"BenchmarkLoop", 0, 0, 0},
		{"BenchmarkSub/re(x|y)*[z]", 0, 0, 0},
		{"BenchmarkSub/dup#01", 0, 0, 0},
		{"BenchmarkSub/a/b", 0, 0, 0},
		{"BenchmarkLateReset", 0, 0, 0},
		{"BenchmarkAllocs", 1250, 112*1000 + 208*250, 0},
		{"BenchmarkStopStart", 0, 0, 1000},
		{"BenchmarkDirectory", 0, 0, 0},
		{"BenchmarkEnvironment", 0, 0, 0},
	} {
		s, err := f.suite.Slice(t.Context(), b, plan(b.benchmark(c.name), 1000), SliceOpts{CPU: gocmd.NoCPU, Arm: model.Candidate, Unit: 7})
		if err != nil {
			t.Error(err)
			continue
		}
		if s.CPUNs < 0 || s.WallNs <= 0 || s.AllCPUNs <= 1000*s.CPUNs {
			t.Errorf("%s: times %+v", c.name, s)
		}
		s.CPUNs, s.WallNs, s.AllCPUNs, s.GCs, s.GCCPUNs, s.ThrottledNs = 0, 0, 0, 0, 0, 0
		want := model.Sample{
			Benchmark: b.benchmark(c.name), Arm: model.Candidate, N: 1000, Allocs: c.allocs, Bytes: c.bytes,
			Stops: c.stops, Clock: model.ClockProcess, Unit: 7,
		}
		// The runtime may allocate for itself once in a while.
		if s.Allocs > c.allocs && s.Allocs <= c.allocs+4 {
			s.Allocs, s.Bytes = c.allocs, c.bytes
		}
		if d := cmp.Diff(want, s); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestSliceFailures(t *testing.T) {
	f := styles(t, true)
	bad, good := f.binary(t, "bad"), f.binary(t, "good")
	for _, c := range []struct {
		bin        *Binary
		name, want string
	}{
		{bad, "BenchmarkLater", "later words"},
		{bad, "BenchmarkPanics/sub", "panic words"},
		{bad, "BenchmarkExitsThree", "exit code 3"},
		{good, "BenchmarkSkips", "skipped itself"},
		{good, "BenchmarkNoSuch", "did not run"},
		{f.binary(t, "exit"), "BenchmarkX", "no database"},
	} {
		_, err := f.suite.Slice(t.Context(), c.bin, plan(c.bin.benchmark(c.name), 1000), SliceOpts{CPU: gocmd.NoCPU})
		var failure *Failure
		if !errors.As(err, &failure) || failure.Benchmark.Name != c.name || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestDuet(t *testing.T) {
	f := styles(t, true)
	b := f.binary(t, "good")
	c, err := f.suite.Copy(b, "a-longer-name")
	if err != nil {
		t.Fatal(err)
	}
	cpu := gocmd.NoCPU
	if gocmd.CanPin() {
		if cpu, err = gocmd.QuietCPU(); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"BenchmarkN", "BenchmarkLoop", "BenchmarkLateReset", "BenchmarkSub/x-8", "BenchmarkEnvironment", "BenchmarkParallel"} {
		for _, setup := range []float64{0, 1e9} { // without and with the barrier
			p, cpu := plan(b.benchmark(name), 2000), cpu
			p.SetupNs = setup
			if name == "BenchmarkParallel" {
				p.Mode, cpu = model.Parallel, gocmd.NoCPU
			}
			pair, err := f.suite.Duet(t.Context(), b, c, p, DuetOpts{CPU: cpu, BaseFirst: setup == 0, Unit: 4})
			if err != nil {
				t.Fatal(err)
			}
			if pair[0].Arm != model.Base || pair[1].Arm != model.Candidate || pair[0].N != 2000 || pair[1].N != 2000 || pair[1].CPUNs <= 0 {
				t.Errorf("%+v", pair)
			}
		}
	}
}

// An arm that fails is named, and does not hold the other at the barrier.
func TestDuetFailure(t *testing.T) {
	f := styles(t, true)
	good, bad := f.binary(t, "good"), f.binary(t, "bad")
	p := plan(good.benchmark("BenchmarkN"), 1000)
	p.SetupNs = 1e9
	_, err := f.suite.Duet(withTimeout(t, time.Minute), good, bad, p, DuetOpts{CPU: gocmd.NoCPU})
	if err == nil || !strings.HasPrefix(err.Error(), "candidate arm: BenchmarkN") {
		t.Error(err)
	}
	gone := *good
	gone.Path = filepath.Join(t.TempDir(), "gone")
	if _, err := f.suite.Duet(withTimeout(t, time.Minute), &gone, good, p, DuetOpts{CPU: gocmd.NoCPU}); err == nil {
		t.Error("a binary that is not there ran")
	}
}

// Cancelling ends a benchmark that hangs.
func TestCancel(t *testing.T) {
	f := styles(t, true)
	b := f.binary(t, "bad")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	_, err := f.suite.Duet(ctx, b, b, plan(b.benchmark("BenchmarkHangs"), 1000), DuetOpts{CPU: gocmd.NoCPU})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCalibrate(t *testing.T) {
	f := styles(t, true)
	b := f.binary(t, "good")
	want := map[string]model.Mode{
		"BenchmarkN": model.Duet, "BenchmarkLoop": model.Duet, "BenchmarkLateReset": model.Duet,
		"BenchmarkParallel": model.Parallel, "BenchmarkSleep": model.Alternate, "BenchmarkTimedSetup": model.Duet,
	}
	for _, name := range sample.Part(slices.Sorted(maps.Keys(want)), 3) {
		p, err := f.suite.Calibrate(t.Context(), b, b.benchmark(name), 0)
		if err != nil {
			t.Fatal(err)
		}
		if p.Mode != want[name] || p.N < 2 || p.SliceNs < 0.9*sliceGoal || p.SliceNs > 1.5*sliceCap {
			t.Errorf("%s: %+v", name, p)
		}
		warned := len(p.Warnings) > 0 && strings.Contains(p.Warnings[0].Cause, "inside the timed region")
		if timed := name == "BenchmarkTimedSetup"; warned != timed || timed && p.TimedNs <= 5e6 {
			t.Errorf("%s: timed set-up: %+v", name, p)
		}
	}
	var late *Failure
	bad := f.binary(t, "bad")
	if _, err := f.suite.Calibrate(t.Context(), bad, bad.benchmark("BenchmarkHangs"), 3*time.Second); !errors.As(err, &late) || !late.Late || !strings.Contains(err.Error(), "BenchmarkHangs of example.com/styles/bad was not calibrated within 3s") {
		t.Errorf("a benchmark that hangs: %v", err)
	}
	_, err := f.suite.Calibrate(t.Context(), bad, bad.benchmark("BenchmarkLater"), 0)
	var failure *Failure
	if !errors.As(err, &failure) {
		t.Error(err)
	}
}

// The arithmetic of a plan, on made-up figures.
func TestPlan(t *testing.T) {
	t.Parallel()
	m := func(n int64, cpu float64, gcs, stops int64) measure {
		return measure{n: n, cpu: cpu, wall: cpu, rusage: cpu + 5e6, gcs: gcs, stops: stops, charge: 1000}
	}
	parallel := m(60_000, 60e6, 0, 0)
	parallel.par = true
	// many is what 60,000 iterations with two processors took: by the clock, in CPU time, and
	// ready to run without running.
	many := func(wall, cpu, waits float64) *measure {
		return &measure{n: 60_000, wall: wall, cpu: cpu, waits: waits, procs: 2, par: true}
	}
	for _, c := range []struct {
		name       string
		first, far measure
		wantN      int64
		warning    string
		many       *measure
		mode       model.Mode
	}{
		{"plain", m(1, 1e3, 0, 0), m(60_000, 60e6, 0, 0), 120_000, "", nil, model.Duet},
		{"timed set-up", m(1, 74e6, 0, 0), m(60_000, 74e6+60e6, 0, 0), 740_000, "set-up", nil, model.Duet},
		{"long op", m(1, 100e6, 0, 0), m(2, 200e6, 0, 0), 2, "long", nil, model.Duet},
		{"few collections", m(1, 1e6, 0, 0), m(60, 60e6, 3, 0), 150, "", nil, model.Duet},
		{"enough collections", m(1, 1e6, 0, 0), m(60, 60e6, 30, 0), 120, "", nil, model.Duet},
		{"sleeping", m(1, 1e3, 0, 0), m(60_000, 60e6, 0, 0), 120_000, "it sleeps", nil, model.Alternate},
		{"parallel", m(1, 1e3, 0, 0), parallel, 120_000, "RunParallel", nil, model.Alternate},
		{"stopped timer", m(1, 11e3, 0, 1), m(6000, 66e6, 0, 6000), 12_000, "stops its timer", nil, model.Duet},
		{"parallel, all busy", m(1, 1e3, 0, 0), parallel, 240_000, "", many(31e6, 60e6, 0), model.Parallel},
		{"parallel, kept waiting for a core", m(1, 1e3, 0, 0), parallel, 240_000, "", many(100e6, 60e6, 130e6), model.Parallel},
		{"parallel, waits for a lock", m(1, 1e3, 0, 0), parallel, 120_000, "RunParallel", many(60e6, 70e6, 5e6), model.Alternate},
	} {
		t.Run(c.name, func(t *testing.T) {
			cal := &calibration{s: &Suite{clock: model.ClockProcess}, bin: &Binary{}, first: c.first, far: c.far, busiest: 1}
			if c.name == "sleeping" {
				cal.busiest = 0.05
			}
			if c.many != nil {
				cal.many = *c.many
			}
			p := cal.plan()
			if low, high := c.wantN*9/10, c.wantN*11/10; p.N < low || p.N > high {
				t.Errorf("N = %d, want about %d", p.N, c.wantN)
			}
			var text string
			for _, w := range p.Warnings {
				text += w.Seen + "; " + w.Cause + "\n"
			}
			if p.Mode != c.mode || c.mode == model.Alternate && (p.TimedNs > 0 || strings.Contains(text, "set-up")) {
				t.Errorf("%+v", p)
			}
			if (c.warning == "") != (text == "") || !strings.Contains(text, c.warning) {
				t.Errorf("warnings %q, want %q", text, c.warning)
			}
		})
	}
}

func TestProfile(t *testing.T) {
	f := styles(t, true)
	b := f.binary(t, "good")
	for _, c := range []struct {
		kind, name string
		n, want    int64
	}{{CPUProfile, "BenchmarkN", 1000, 1001}, {MemProfile, "BenchmarkLoop", 1000, 1000}, {MemProfile, "BenchmarkAllocs", 0, 2001}, {MutexProfile, "BenchmarkN", 1000, 1001}} {
		p := plan(b.benchmark(c.name), 10_000)
		out := filepath.Join(t.TempDir(), "profile")
		got, err := f.suite.Profile(t.Context(), b, p, c.kind, out, c.n)
		if err != nil {
			t.Fatal(err)
		}
		if got.N != c.want || got.File != out {
			t.Errorf("%s: %+v", c.name, got)
		}
		if data, err := os.ReadFile(out); err != nil || len(data) < 2 || data[0] != 0x1f || data[1] != 0x8b {
			t.Errorf("%s: no gzipped profile (%v)", c.name, err)
		}
	}
	if _, err := f.suite.Profile(t.Context(), b, plan(b.benchmark("BenchmarkN"), 10), "block", "x", 0); err == nil {
		t.Error("an unknown kind was taken")
	}
}

func TestScaling(t *testing.T) {
	f := styles(t, true)
	b := f.binary(t, "good")
	p := plan(b.benchmark("BenchmarkParallel"), 1000)
	x, err := f.suite.Scaling(t.Context(), b, p, 2)
	if err != nil {
		t.Fatal(err)
	}
	if x.Procs != 2 || x.Pairs != scalingPairs || !(0 < x.Lo && x.Lo <= x.Ratio && x.Ratio <= x.Hi) {
		t.Errorf("scaling %+v", x)
	}
	if _, err := f.suite.Scaling(t.Context(), b, plan(b.benchmark("BenchmarkNone"), 1000), 2); err == nil {
		t.Error("a benchmark that is not there scales")
	}
}

// Without hooks the same calls work on rusage and on what testing prints.
func TestWithoutHooks(t *testing.T) {
	sample.One(t, 3)
	f := styles(t, false)
	b := f.binary(t, "good")
	if !b.Stock {
		t.Fatal("the binary claims to have hooks")
	}
	p, err := f.suite.Calibrate(t.Context(), b, b.benchmark("BenchmarkAllocs"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if p.Clock != model.ClockRusage && p.Mode == model.Duet || p.N < 1000 {
		t.Errorf("%+v", p)
	}
	pair, err := f.suite.Duet(t.Context(), b, b, p, DuetOpts{CPU: gocmd.NoCPU, BaseFirst: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range pair {
		if s.Clock != model.ClockRusage || s.CPUNs <= 0 || s.AllocsPerOp() != 1 {
			t.Errorf("%+v", s)
		}
	}
	if _, err := f.suite.Retained(t.Context(), b, p); !errors.Is(err, ErrNoHooks) {
		t.Error(err)
	}
	_, err = f.suite.Slice(t.Context(), f.binary(t, "bad"), plan(f.binary(t, "bad").benchmark("BenchmarkLater"), 1000), SliceOpts{CPU: gocmd.NoCPU})
	if err == nil || !strings.Contains(err.Error(), "later words") {
		t.Error(err)
	}
}

func TestSolo(t *testing.T) {
	f := styles(t, true)
	if _, _, err := f.suite.Solo(t.Context(), f.binary(t, "good"), f.binary(t, "good").benchmark("BenchmarkN"), 1000, 0); err == nil {
		t.Error("a binary with hooks ran solo")
	}
	b, err := f.suite.Build(t.Context(), f.pkg("good"), "stock", gocmd.BuildOpts{})
	if err != nil {
		t.Fatal(err)
	}
	for _, procs := range []int{0, 1, 2} {
		for _, name := range []string{"BenchmarkN", "BenchmarkSub/x-8", "BenchmarkPrints"} {
			wall, cpu, err := f.suite.Solo(t.Context(), b, b.benchmark(name), 1000, procs)
			if err != nil || wall <= 0 || cpu <= 0 {
				t.Errorf("%s on %d: %v %v %v", name, procs, wall, cpu, err)
			}
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	f := styles(t, true)
	env := Environment(t.Context(), f.suite.g)
	if env.GoVersion == "" || env.GOOS == "" || env.CPUs == 0 || env.Settings["GOFLAGS"] == "" {
		t.Errorf("%+v", env)
	}
}
