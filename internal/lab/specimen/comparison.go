package specimen

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// Comparisons are comparisons of each shape, by name.
var Comparisons = map[string]func() *model.Comparison{
	"all": AllStandings, "undecided": UndecidedGate, "clean": CleanGate, "packages": TwoPackages, "load": UnderLoad,
}

const wire = "example.com/m/wire"

// compared is one benchmark that was judged by duets.
func compared(name string, st model.Standing, why string, v model.Verdict) model.Compared {
	bm := model.Benchmark{Pkg: wire, Name: "Benchmark" + name}
	v.Benchmark, v.Level = bm, 0.95
	v.Metric = cmp.Or(v.Metric, "cpu/op")
	v.NoiseSD = cmp.Or(v.NoiseSD, 0.012)
	if v.Lo > -1 && v.Hi < 1e5 { // the judge cuts what is not known to a million
		v.Course = Course(v)
	}
	return model.Compared{
		Benchmark: bm, Standing: st, Why: why, Verdict: &v,
		Before: &model.Stats{CPUNs: 750, WallNs: 760, Allocs: 3, Bytes: 72}, After: &model.Stats{CPUNs: 780, WallNs: 790, Allocs: 3, Bytes: 72},
		Counts: []model.Exact{{Benchmark: bm, Metric: "allocs/op", Before: 3, After: 3}, {Benchmark: bm, Metric: "B/op", Before: 72, After: 72}},
		CPU:    11.5, Seconds: 13,
	}
}

// Verdict returns a verdict about CPU time with its course.
func Verdict(a model.Answer, change, lo, hi float64, units int) model.Verdict {
	return model.Verdict{Answer: a, Change: change, Lo: lo, Hi: hi, Units: units, Evidence: 40}
}

// AllStandings is a gate in which everything happens that can.
func AllStandings() *model.Comparison {
	send := compared("Send", model.Regressed, "allocs/op 3 → 4; cpu/op slower by 4.1 % [+3.2, +5.0]", Verdict(model.Slower, 0.041, 0.032, 0.050, 24))
	send.Counts[0].After, send.Counts[1].After = 4, 96
	worse, same := Verdict(model.Slower, 0.25, 0.18, 0.31, 12), Verdict(model.NoEffect, -0.004, -0.012, 0.004, 16)
	send.Metrics = []model.Reported{
		{Unit: "hits/op", Standing: model.Open, Why: "hits/op 3 → 5 is not judged: which way is better is not known; say -metric 'hits/op:lower', higher or ignore", Before: 3, After: 5, Exact: true},
		{Unit: "ops/s", Better: "higher", Standing: model.Clean, Why: "ops/s: a loss of 2.0 % or more is excluded", Before: 680168, After: 677447, Verdict: &same},
		{Unit: "p99-ns", Better: "lower", Standing: model.Regressed, Why: "p99-ns +25.0 % [+18.0, +31.0], worse", Before: 24065, After: 30081, Verdict: &worse},
	}
	screen := *send.Verdict
	send.Verdict.Links = true
	screen.Change, screen.Lo, screen.Hi, screen.Units = 0.052, 0.043, 0.061, 12
	send.Screen = &screen

	heap := compared("Index", model.Regressed, "peak-heap 12.00 MB → 19.00 MB at the peak of 3 runs (limit: +10 % and 1 MiB)", Verdict(model.NoEffect, -0.004, -0.011, 0.004, 21))
	heap.Guards = []model.Guard{
		{Name: "peak-heap", Unit: "B", Before: 12e6, After: 19e6, Tripped: true, Detail: "12.00 MB → 19.00 MB at the peak of 3 runs (limit: +10 % and 1 MiB)"},
		{Name: "wall/op", Unit: "ns/op", Before: 760, After: 930, Tripped: true, Detail: "+14 to +29 % in all of 6 pairs (limit: +10 %)"},
	}

	layout := compared("Parse", model.Open, "not separable from layout: +2.2 % on one link of each side", Verdict(model.Undecided, 0.022, 0.009, 1e6, 120))
	layout.Warnings = []model.Warning{{
		Seen:  "it runs none of the 3 changed functions in its timed loop (Send, (*T).Flush, open)",
		Cause: "a difference then comes from types, constants or data that changed, from inlining, or from the layout",
		Try:   "a benchmark that calls what changed",
	}}

	unpinned := compared("Decode", model.Open, "the benchmark itself changed, and the candidate does not compile with the base's: the sides run different work", Verdict(model.NoEffect, 0.001, -0.006, 0.007, 18))
	unpinned.Source = &model.Source{Base: "a1", Candidate: "b2", Differs: []string{"BenchmarkDecode", "newFrames", "testdata/frames.bin"}}

	never := model.Compared{Benchmark: model.Benchmark{Pkg: wire, Name: "BenchmarkSlow"}, Standing: model.Open,
		Why: "not run: the budget of 10m0s is spent; a larger -budget, or fewer benchmarks by -bench"}

	failed := model.Compared{Benchmark: model.Benchmark{Pkg: wire, Name: "BenchmarkSeal/size=1024"}, Standing: model.Failed,
		Why: "on the candidate: BenchmarkSeal/size=1024 of example.com/m/wire panicked (exit code 2):\npanic: runtime error: index out of range [12] with length 12\n\ngoroutine 7 [running]:\nexample.com/m/wire.seal(...)\n\t/src/wire/seal.go:42\nexample.com/m/wire.BenchmarkSeal.func1(0xc000166000)\n\t/src/wire/seal_test.go:17 +0x1d\nand some more of it that nobody needs to read in a table"}

	accepted := compared("Flush", model.Accepted, "cpu/op slower by 6.0 % [+5.1, +7.2]", Verdict(model.Slower, 0.06, 0.051, 0.072, 14))
	accepted.Accepted = "checksum added (#123)"

	oneSided := model.Compared{Benchmark: model.Benchmark{Pkg: wire, Name: "BenchmarkNew"}, Standing: model.OneSided, Why: "only in the candidate"}

	improved := compared("Receive", model.Improved, "cpu/op faster by 12.1 % [−13.4, −10.9]; allocs/op 2.97 → 0.97", Verdict(model.Faster, -0.121, -0.134, -0.109, 16))
	improved.Counts[0].Before, improved.Counts[0].After = 2.97, 0.97
	improved.Counts[1].Before, improved.Counts[1].After = 73790, 62

	clean := compared("Dial", model.Clean, "a slowdown by 3 % or more is excluded", Verdict(model.NoEffect, 0.004, -0.011, 0.019, 12))
	clean.Source = &model.Source{Base: "a1", Candidate: "b2", Pinned: true, Differs: []string{"dialer"}}
	pooled := compared("Pool", model.Clean, "a slowdown by 3 % or more is excluded", Verdict(model.Undecided, 0.0004, math.Inf(-1), 0.021, 9))
	pooled.Counts[0] = model.Exact{Metric: "allocs/op", Before: 0.004, After: 0.004}
	pooled.Counts[1] = model.Exact{Metric: "B/op", Before: 311, After: 318.5, Noisy: true}
	pooled.Plan = &model.Plan{Benchmark: pooled.Benchmark, Warnings: []model.Warning{{Seen: "B/op varies from run to run", Cause: "a pool that the collector empties", Try: "nothing: the counts are not judged"}}}

	c := &model.Comparison{
		Schema: model.SchemaVersion, Tool: "v0.3.0", ID: "20260102T150405-gate", Verb: "gate",
		Args: []string{"-baseline", "accepted.txt", "-o", "out dir", "./..."}, Module: "example.com/m",
		Base:      model.Side{Name: "merge base with origin/main", Kind: model.SideRef, Commit: "4c737d3f0a1b5e6c7d8e9f00112233445566778899", GoVersion: "go1.26.8"},
		Candidate: model.Side{Name: "work tree", Kind: model.SideWorktree, GoVersion: "go1.26.8", Settings: map[string]string{"GOAMD64": "v3"}},
		Started:   time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC),
		Env: model.Environment{GoVersion: "go1.26.8", GOOS: "linux", GOARCH: "amd64", CPU: "AMD EPYC 9B14", CPUs: 2, Load: 0.4,
			Settings: map[string]string{"GOFLAGS": "-trimpath"}},
		Alpha: 0.05, MinEffect: 0.03, Stopped: "budget",
		Benchmarks: []model.Compared{improved, clean, send, pooled, layout, failed, accepted, oneSided, heap, unpinned, never},
		Warnings: []model.Warning{{Seen: "the sides are built with different settings", Cause: "go.env or go.mod differ",
			Try: "compare like with like: set them in the environment"}},
		Split: model.Split{Build: 34, Measure: 178, Other: 9, Total: 221},
		Dir:   "/home/ada/m/.pawl/runs/20260102T150405-gate",
		Samples: []string{"/home/ada/m/.pawl/runs/20260102T150405-gate/samples/all.base.txt",
			"/home/ada/m/.pawl/runs/20260102T150405-gate/samples/all.candidate.txt"},
	}
	for i := range 12 {
		c.Benchmarks = append(c.Benchmarks, model.Compared{Benchmark: model.Benchmark{Pkg: wire, Name: fmt.Sprintf("BenchmarkIdle%d", i)},
			Standing: model.Unchanged, Why: "none of the 12 functions that it reaches changed"})
	}
	return c
}

// UndecidedGate has nothing that regressed.
func UndecidedGate() *model.Comparison {
	c := AllStandings()
	c.Benchmarks = append(c.Benchmarks[:2], c.Benchmarks[4], c.Benchmarks[5], c.Benchmarks[11])
	c.Stopped = ""
	return c
}

// CleanGate is what most gates should look like.
func CleanGate() *model.Comparison {
	c := AllStandings()
	clean := c.Benchmarks[1]
	clean.Source = nil
	c.Benchmarks = append([]model.Compared{clean}, c.Benchmarks[11:]...)
	c.Stopped, c.Warnings, c.Samples = "", nil, nil
	return c
}

// TwoPackages is a compare of two refs with an A/A warm-up, by CPU and by wall
// time.
func TwoPackages() *model.Comparison {
	c := AllStandings()
	c.Verb, c.Args, c.MinEffect, c.Stopped = "compare", []string{"v1.2.0", "HEAD~1", "./..."}, 0.02, ""
	c.Base, c.Candidate = model.Side{Name: "v1.2.0", Kind: model.SideRef, Commit: "4c737d3f0a1b5e6c"}, model.Side{Name: "HEAD~1", Kind: model.SideRef, Commit: "99999d3f0a1b5e6c"}
	a, b := c.Benchmarks[0], c.Benchmarks[1]
	a.Noise = &model.Noise{Benchmark: a.Benchmark, SD: 0.012, Sees: 0.016, Seconds: 20}
	b.Benchmark = model.Benchmark{Pkg: "example.com/m/disk/v2", Name: "BenchmarkSync/a_long_name_of_a_case/with=parameters"}
	v := *b.Verdict
	v.Metric, v.Units, v.NoiseSD = "wall/op", 31, 0.048
	b.Verdict, b.Source = &v, nil
	c.Benchmarks, c.Warnings = []model.Compared{b, a}, nil
	return c
}

// UnderLoad is a comparison of two programs.
func UnderLoad() *model.Comparison {
	m := func(name string, before, after float64, v model.Verdict) model.LoadMetric {
		v.Metric, v.Level, v.NoiseSD = name, 0.95, 0.021
		return model.LoadMetric{Name: name, Unit: "ns", Before: before, After: after, Verdict: v}
	}
	c := &model.Comparison{
		Schema: model.SchemaVersion, Tool: "v0.3.0", Verb: "compare", Args: []string{"-load", "hey -z 2s http://{addr}/", "./old", "./new"},
		Base: model.Side{Name: "./old -listen {addr}", Kind: model.SideProgram}, Candidate: model.Side{Name: "./new -listen {addr}", Kind: model.SideProgram},
		Alpha: 0.05, MinEffect: 0.02, Split: model.Split{Measure: 118, Other: 3, Total: 121},
		Load: &model.Load{
			Command: "hey -z 2s http://{addr}/", Units: 2, Requests: [2]float64{240000, 236500}, Standing: model.Regressed,
			Why: "cpu/request slower by 4.3 % [+3.1, +5.6]",
			Metrics: []model.LoadMetric{
				m("cpu/request", 41200, 43000, Verdict(model.Slower, 0.043, 0.031, 0.056, 24)),
				m("latency-p50", 812e3, 815e3, Verdict(model.NoEffect, 0.004, -0.02, 0.03, 24)),
				m("latency-p99", 3.1e6, 3.4e6, Verdict(model.Undecided, 0.09, -1, 1e6, 24)),
			},
			Noise: &model.Noise{SD: 0.02, Sees: 0.024, Seconds: 60},
			Runs:  []model.LoadRunPair{{Base: model.LoadRun{Errors: 0, CPUNs: 4.9e9}, Candidate: model.LoadRun{Errors: 3, CPUNs: 5.1e9}}},
		},
	}
	return c
}

// OddFigures is a comparison of nothing but what cannot be.
func OddFigures() *model.Comparison {
	nan, inf := math.NaN(), math.Inf(1)
	a := compared("Odd", model.Open, "", model.Verdict{Change: nan, Lo: nan, Hi: nan, Units: 3})
	b := compared("Inf", model.Regressed, "", model.Verdict{Change: inf, Lo: math.Inf(-1), Hi: inf, Units: 3})
	b.Counts[0].Before, b.Counts[0].After, b.Counts[1].After = nan, inf, inf
	b.Noise = &model.Noise{Sees: inf, SD: nan}
	b.Verdict.NoiseSD, b.CPU = inf, nan
	b.Guards = []model.Guard{{Name: "g", Unit: "B", Before: nan, After: inf, Tripped: true}, {Name: "h", Before: inf, After: nan, Tripped: true}}
	c := &model.Comparison{Verb: "gate", Benchmarks: []model.Compared{a, b, {}}, Alpha: inf, MinEffect: inf, Split: model.Split{Total: inf, Build: nan}}
	c.Load = &model.Load{Requests: [2]float64{nan, inf}, Noise: &model.Noise{Sees: nan}, Metrics: []model.LoadMetric{{Before: nan, After: inf, Verdict: *b.Verdict}},
		Runs: []model.LoadRunPair{{Base: model.LoadRun{CPUNs: nan, Errors: inf}}}}
	return c
}

// Course is a course that ends in a verdict's interval, which narrows with
// the root of the units, and whose first units have none.
func Course(v model.Verdict) *model.Course {
	c := new(model.Course)
	for i := range v.Units {
		n := float64(i + 1)
		c.Ratios = append(c.Ratios, 1+v.Change+2*(v.Hi-v.Lo)*math.Sin(7*n)/math.Sqrt(3))
		s := model.CourseStep{Units: i + 1, Change: v.Change + 0.3*(v.Hi-v.Lo)*math.Cos(n)/math.Sqrt(n), Lo: -1, Hi: 1e6}
		if i >= 5 || i == v.Units-1 {
			wide := math.Sqrt(float64(v.Units) / n)
			s.Lo, s.Hi = v.Change-(v.Change-v.Lo)*wide, v.Change+(v.Hi-v.Change)*wide
		}
		c.Steps = append(c.Steps, s)
	}
	if k := len(c.Steps); k > 0 {
		c.Steps[k-1] = model.CourseStep{Units: v.Units, Change: v.Change, Lo: v.Lo, Hi: v.Hi}
	}
	return c
}
