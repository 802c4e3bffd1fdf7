package profile

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/model"
)

var bench = model.Benchmark{Pkg: "example.com/m/a", Name: "BenchmarkA"}

var options = Options{
	Root: filepath.FromSlash("/src/m"), ModuleDir: filepath.FromSlash("/src/m"), ModulePath: "example.com/m",
	ModCache: filepath.FromSlash("/src/m/.cache"), N: 1000,
}

// A builder makes profiles of stacks that are written as text: frames from the
// leaf outwards, "func file:line", with "~" in front of a frame that is inlined
// into the next.
type builder struct {
	p     *profile.Profile
	funcs map[string]*profile.Function
}

func newBuilder(types ...string) *builder {
	b := &builder{p: &profile.Profile{}, funcs: make(map[string]*profile.Function)}
	for _, t := range types {
		b.p.SampleType = append(b.p.SampleType, &profile.ValueType{Type: t, Unit: "count"})
	}
	return b
}

func heap() *builder {
	return newBuilder("alloc_objects", "alloc_space", "inuse_objects", "inuse_space")
}
func cpu() *builder { return newBuilder("samples", "cpu") }

func (b *builder) add(values []int64, frames ...string) *builder {
	s := &profile.Sample{Value: append(values, make([]int64, len(b.p.SampleType)-len(values))...)}
	var loc *profile.Location
	for _, f := range frames {
		text, inlined := strings.CutPrefix(f, "~")
		if loc == nil {
			loc = &profile.Location{ID: uint64(len(b.p.Location) + 1), Address: uint64(len(b.p.Location) + 1)}
			b.p.Location = append(b.p.Location, loc)
			s.Location = append(s.Location, loc)
		}
		loc.Line = append(loc.Line, b.line(text))
		if !inlined {
			loc = nil
		}
	}
	b.p.Sample = append(b.p.Sample, s)
	return b
}

func (b *builder) line(text string) profile.Line {
	name, at, _ := strings.Cut(text, " ")
	file, num, _ := strings.Cut(at, ":")
	if b.funcs[name+file] == nil {
		b.funcs[name+file] = &profile.Function{ID: uint64(len(b.p.Function) + 1), Name: name, SystemName: name, Filename: file}
		b.p.Function = append(b.p.Function, b.funcs[name+file])
	}
	n := int64(0)
	for _, c := range num {
		n = 10*n + int64(c-'0')
	}
	return profile.Line{Function: b.funcs[name+file], Line: n}
}

// read sends the profile through its file format.
func (b *builder) read(t *testing.T) *Profile {
	t.Helper()
	var buf bytes.Buffer
	if err := b.p.Write(&buf); err != nil {
		t.Fatal(err)
	}
	p, err := Read(&buf)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	runN   = "testing.(*B).runN /go/src/testing/benchmark.go:219"
	launch = "testing.(*B).launch /go/src/testing/benchmark.go:352"
	run1   = "testing.(*B).run1.func1 /go/src/testing/benchmark.go:245"
	body   = "example.com/m/a.BenchmarkA /src/m/a/a_test.go:9"
	encode = "example.com/m/a.(*T).Encode /src/m/a/a.go:20"
	vendor = "example.com/dep.Seal /src/m/vendor/example.com/dep/dep.go:5"
	cached = "example.com/dep.Seal /src/m/.cache/example.com/dep@v1/dep.go:5"
	alloc  = "runtime.mallocgc /go/src/runtime/malloc.go:1"
)

// summary is one line per cost: home, objects per op, bytes, share.
func summary(costs []model.Cost) []string {
	var out []string
	for _, c := range costs {
		home := "-"
		if f, ok := c.HomeFrame(); ok {
			home = f.Pos().String()
			if !f.Module {
				home += " (test)"
			}
		}
		out = append(out, strings.Join([]string{home, num(c.PerOp), num(c.Bytes), num(c.Share)}, " "))
	}
	return out
}

func num(x float64) string { return strconv.FormatFloat(math.Round(x*1000)/1000, 'g', -1, 64) }

func TestAllocs(t *testing.T) {
	p := heap().
		// Inlined into Encode; twice with other addresses, which is one site.
		add([]int64{600, 9600}, "~example.com/m/b.make /src/m/b/b.go:3", encode, body, runN, launch).
		add([]int64{400, 6400}, "~example.com/m/b.make /src/m/b/b.go:3", encode, body, runN, launch).
		// Dependencies in the tree's own directories are not the user's code.
		add([]int64{2000, 64000}, vendor, encode, body, runN, launch).
		add([]int64{1000, 32000}, cached, "example.com/m/a.(*T).Encode /src/m/a/a.go:21", body, runN, launch).
		// The caller allocates, and the caller is the benchmark.
		add([]int64{1000, 48000}, body, runN, launch).
		// A test's callback below the module's code is at home in the module.
		add([]int64{500, 500}, "example.com/m/a.callback /src/m/a/a_test.go:30", encode, body, runN, launch).
		// A goroutine that the benchmark started.
		add([]int64{1000, 1000}, "example.com/m/a.(*T).worker /src/m/a/a.go:50").
		// None of these count: set-up, the first run, other benchmarks' parents, the process.
		add([]int64{40, 4000}, "example.com/m/a.New /src/m/a/a.go:5", body, runN, launch).
		add([]int64{1, 16}, body, runN, run1).
		add([]int64{5000, 16}, "context.WithCancel /go/src/context/context.go:242", runN, launch).
		add([]int64{5000, 16}, "testing.(*B).Run /go/src/testing/benchmark.go:800", body, runN, launch).
		add([]int64{5000, 16}, "example.com/m/a.init /src/m/a/a.go:3", "runtime.main /go/src/runtime/proc.go:200").
		add([]int64{5000, 16}, "flag.Parse /go/src/flag/flag.go:1", "main.main _testmain.go:50", "runtime.main /go/src/runtime/proc.go:283").
		read(t)
	costs, lost, err := p.Costs(bench, model.Allocs, options)
	if err != nil || len(lost) > 0 {
		t.Fatalf("Costs: unexplained %v, error %v", lost, err)
	}
	want := []string{
		"a/a.go:20 2 64 0.308",
		"a/a.go:50 1 1 0.154",
		"a/a.go:21 1 32 0.154",
		"b/b.go:3 1 16 0.154",
		"a/a_test.go:9 (test) 1 48 0.154",
		"a/a.go:20 0.5 0.5 0.077",
	}
	got := summary(costs)
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("costs: home, objects, bytes, share (-want +got):\n%s", diff)
	}
	for _, c := range costs {
		if f, _ := c.HomeFrame(); f.File == "b/b.go" {
			if !c.Stack[0].Inline || c.Stack[1].Inline || c.Stack[1].Func != "example.com/m/a.(*T).Encode" {
				t.Errorf("inlined frames: %+v", c.Stack[:2])
			}
		}
	}
}

func TestBytes(t *testing.T) {
	p := heap().add([]int64{1000, 64000}, encode, body, runN, launch).add([]int64{2, 1 << 20}, body, runN, launch).read(t)
	o := options
	o.Total = 128
	costs, _, err := p.Costs(bench, model.Bytes, o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/a.go:20 64 0 0.5"}, summary(costs)); diff != "" {
		t.Errorf("costs (-want +got):\n%s", diff)
	}
}

// A mutex profile has the waiting of all goroutines where the lock is given up.
func TestMutex(t *testing.T) {
	const worker = "testing.(*B).RunParallel.func1 /go/src/testing/benchmark.go:950"
	p := newBuilder("contentions", "delay").
		add([]int64{10, 300_000}, "sync.(*Mutex).Unlock /go/src/sync/mutex.go:65", encode, body, worker).
		add([]int64{1, 20}, "sync.(*Mutex).Unlock /go/src/sync/mutex.go:65", "testing.(*B).run1.func1 /go/src/testing/benchmark.go:245").
		read(t)
	o := options
	o.Total = 1000
	costs, lost, err := p.Costs(bench, model.Mutex, o)
	if err != nil || len(lost) > 0 || len(costs) != 1 {
		t.Fatalf("costs %v, unexplained %v, error %v", costs, lost, err)
	}
	if c := costs[0]; c.PerOp != 300 || c.Share != 0.3 || c.Resource != model.Mutex || c.Stack[c.Home].Line != 20 {
		t.Errorf("cost %+v", c)
	}
}

// What a benchmark with RunParallel does before it is set-up.
func TestParallelSetUp(t *testing.T) {
	const worker = "testing.(*B).RunParallel.func1 /go/src/testing/benchmark.go:950"
	p := heap().
		add([]int64{1000, 16000}, encode, body, worker).
		add([]int64{9000, 9000}, encode, body, runN, launch).
		read(t)
	costs, _, err := p.Costs(bench, model.Allocs, options)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/a.go:20 1 16 1"}, summary(costs)); diff != "" {
		t.Errorf("costs (-want +got):\n%s", diff)
	}
}

// A benchmark with b.Loop has nothing but the first run.
func TestLoop(t *testing.T) {
	p := heap().
		add([]int64{1000, 16000}, encode, body, runN, run1).
		add([]int64{1, 96}, "context.WithCancel /go/src/context/context.go:242", runN, "testing.runBenchmarks /go/src/testing/benchmark.go:735", "main.main _testmain.go:1", "runtime.main /go/src/runtime/proc.go:1").
		read(t)
	costs, _, err := p.Costs(bench, model.Allocs, options)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/a.go:20 1 16 1"}, summary(costs)); diff != "" {
		t.Errorf("costs (-want +got):\n%s", diff)
	}
}

// The parent of a sub-benchmark sets up, in the first run, what the child uses.
func TestSubBenchmark(t *testing.T) {
	const sub = "example.com/m/a.BenchmarkA.func1 /src/m/a/a_test.go:12"
	for _, root := range []string{launch, run1} {
		p := heap().
			add([]int64{1000, 16000}, encode, sub, runN, root).
			add([]int64{9000, 9000}, encode, body, runN, run1).
			read(t)
		bm := bench
		bm.Name += "/sub"
		costs, _, err := p.Costs(bm, model.Allocs, options)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a/a.go:20 1 16 1"}, summary(costs)); diff != "" {
			t.Errorf("costs (-want +got):\n%s", diff)
		}
	}
}

func TestTrimpath(t *testing.T) {
	p := heap().add([]int64{1000, 16000}, "example.com/m/a.F example.com/m/a/a.go:4", "example.com/m/a.BenchmarkA example.com/m/a/a_test.go:9", runN, launch).read(t)
	costs, _, err := p.Costs(bench, model.Allocs, options)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/a.go:4 1 16 1"}, summary(costs)); diff != "" {
		t.Errorf("costs (-want +got):\n%s", diff)
	}
}

func cpuProfile(t *testing.T) *Profile {
	return cpu().
		add([]int64{50, 500}, alloc, encode, body, runN, launch).
		add([]int64{20, 200}, encode, body, runN, launch).
		add([]int64{1, 10}, "example.com/m/a.(*T).Other /src/m/a/a.go:90", body, runN, launch).
		add([]int64{19, 190}, "runtime.scanobject /go/src/runtime/mgc.go:1", "runtime.gcBgMarkWorker /go/src/runtime/mgc.go:9").
		add([]int64{10, 100}, "runtime.findRunnable /go/src/runtime/proc.go:1", "runtime.mcall /go/src/runtime/asm.s:1").
		add([]int64{100, 1000}, encode, "example.com/m/a.init /src/m/a/a.go:3", "runtime.main /go/src/runtime/proc.go:200").
		add([]int64{100, 1000}, body, runN, run1).
		add([]int64{100, 1000}, "runtime.GC /go/src/runtime/mgc.go:1", "testing.(*B).ResetTimer /go/src/testing/benchmark.go:1", body, runN, launch).
		read(t)
}

func TestCPU(t *testing.T) {
	o := options
	o.Total, o.MinShare = 2000, 0.05
	costs, lost, err := cpuProfile(t).Costs(bench, model.CPU, o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a/a.go:20 1000 0 0.5", "a/a.go:20 400 0 0.2"}, summary(costs)); diff != "" {
		t.Errorf("costs (-want +got):\n%s", diff)
	}
	wantLost := []model.Unexplained{
		{Benchmark: bench, Resource: model.CPU, PerOp: 380, Kind: model.ReasonUnknown},
		{Benchmark: bench, Resource: model.CPU, PerOp: 200, Kind: model.ReasonUnknown},
		{Benchmark: bench, Resource: model.CPU, PerOp: 20, Kind: model.ReasonUnknown},
	}
	if diff := cmp.Diff(wantLost, lost, cmpopts.IgnoreFields(model.Unexplained{}, "Text"), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Errorf("unexplained (-want +got):\n%s", diff)
	}
	sum := 0.0
	for _, c := range costs {
		sum += c.PerOp
	}
	for _, u := range lost {
		sum += u.PerOp
	}
	if math.Abs(sum-o.Total) > 1e-6 {
		t.Errorf("costs and unexplained parts add up to %v; want the measured %v", sum, o.Total)
	}
	share, err := cpuProfile(t).GCShare(bench, o)
	if err != nil || math.Abs(share-0.19) > 1e-9 {
		t.Errorf("GCShare = %v, %v; want 0.19", share, err)
	}
}

func TestCostsErrors(t *testing.T) {
	for name, c := range map[string]struct {
		p   *Profile
		res model.Resource
		n   int64
	}{
		"no iterations":      {heap().read(t), model.Allocs, 0},
		"no such samples":    {cpu().read(t), model.Allocs, 1},
		"no such samples 2":  {heap().read(t), model.CPU, 1},
		"no such a resource": {heap().read(t), "luck", 1},
	} {
		o := options
		o.N = c.n
		if _, _, err := c.p.Costs(bench, c.res, o); err == nil {
			t.Errorf("%s: Costs succeeded", name)
		}
	}
	if costs, lost, err := cpu().read(t).Costs(bench, model.CPU, options); err != nil || len(costs)+len(lost) > 0 {
		t.Errorf("costs of an empty profile: %v, %v, %v", costs, lost, err)
	}
}

func FuzzRead(f *testing.F) {
	var buf bytes.Buffer
	if err := heap().add([]int64{9, 9}, encode, body, runN, launch).p.WriteUncompressed(&buf); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, res := range []model.Resource{model.CPU, model.Allocs, model.Bytes} {
			costs, _, err := p.Costs(bench, res, options)
			if err != nil {
				continue
			}
			for _, c := range costs {
				if c.Home >= len(c.Stack) || c.Home < -1 {
					t.Errorf("home %d of %d frames", c.Home, len(c.Stack))
				}
			}
		}
	})
}
