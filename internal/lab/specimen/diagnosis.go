package specimen

import (
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// Diagnosis returns a diagnosis of profiles.
func Diagnosis() *model.Diagnosis {
	return &model.Diagnosis{Profiles: []model.Symptoms{
		{
			Kind: "cpu", Sources: []string{"cpu.pprof"}, Seconds: 30, Samples: 4000, Total: 40e9, Unit: "ns", Rest: 0.37,
			RestCallers: []model.SignCaller{{Func: "example.com/m/pipe.work", File: "/home/me/m/pipe/stage.go", Line: 80, Via: "bytes.Compare", Share: 0.2}},
			Signs: []model.Sign{{
				Name: "channel", Title: "sending and receiving on channels", What: "CPU time", Share: 0.4, Lo: 0.385, Hi: 0.415, Scheduler: 0.2, Unit: "ns", Amount: 16e9, Threshold: 0.02,
				Callers: []model.SignCaller{
					{Func: "example.com/m/pipe.(*Stage[go.shape.int]).Run", File: "/home/me/m/pipe/stage.go", Line: 120, Via: "runtime.chansend1", Share: 0.3},
					{Func: "main.main", File: "/home/me/m/main.go", Line: 7, Via: "runtime.chanrecv1", Share: 0.09},
				},
				Symbols: []model.SignSymbol{{Func: "runtime.chansend", Share: 0.3}, {Func: "runtime.closechan", Share: 0.00001}},
				More:    3, Meaning: "Channel operations.", Lever: "Send more at once.", Before: "What is sent is small.", Gap: "A channel also orders.",
				Rules: []model.SignRule{{Name: "channelcounter"}, {Name: "itemalloc"}},
			}},
			Below: []model.Sign{{Name: "collector", What: "CPU time", Share: 0.03, Threshold: 0.10}},
		},
		{
			Kind: "goroutine", Sources: []string{"g.pprof"}, Total: 12, Unit: "goroutines",
			Below: []model.Sign{{Name: "io", What: "goroutines", Share: 0.5, Amount: 6, Threshold: 0.1, Least: 1000, Unit: "goroutines"}},
		},
		{Kind: "mutex", Sources: []string{"m.pprof"}, Unit: "ns", Warnings: []model.Warning{{Seen: "the profile has no samples", Try: "runtime.SetMutexProfileFraction(100)"}}},
	}}
}

// AllParts has each part that a diagnosis can have.
func AllParts() *model.Diagnosis {
	d := Diagnosis()
	g, ran := Growths(), ObservedRuns()
	d.Observed, d.Compared, d.Growth, d.Memory, d.Metrics = ran.Observed, ProfileComparison().Compared, g.Growth, g.Memory, RuntimeMetrics()
	d.Memory[0].Parts = append(d.Memory[0].Parts[:2:2], model.MemoryPart{Name: "stacks", Title: "stacks of goroutines", Bytes: 8 << 20, Share: 0.02})
	for i := range d.Growth[0].Points {
		d.Growth[0].Points[i].Seconds = float64(60 * i)
	}
	d.Traces = append([]*model.Trace{Trace()}, ran.Traces...)
	d.Warnings = []model.Warning{{Seen: "the program ended early", Cause: "it was told to", Try: "-seconds 30"}}
	return d
}

// Growths returns a diagnosis of what grew, and of what memory is used for.
func Growths() *model.Diagnosis {
	const mib = 1 << 20
	of := func(change, lo, hi, perSecond float64) model.GrowthChange {
		return model.GrowthChange{Change: change, Lo: lo, Hi: hi, PerSecond: perSecond, PerSecondLo: perSecond * 0.9, PerSecondHi: perSecond * 1.1}
	}
	return &model.Diagnosis{
		Growth: []model.Growth{
			{
				Kind: "heap", Sources: []string{"a.pprof", "b.pprof", "c.pprof", "d.pprof"}, Unit: "bytes", Seconds: 180, Period: 512 << 10, Sees: 5.6 * mib,
				Points: []model.GrowthPoint{{Total: 40 * mib}, {Total: 50 * mib}, {Total: 62 * mib}, {Total: 70 * mib}}, Total: of(30*mib, 25*mib, 36*mib, 30*mib/180),
				Risen: 32 * mib, Steady: 57, Threshold: 0.05, Least: mib, More: 2,
				Suspects: []model.GrowthSite{
					{
						Func: "example.com/m/store.(*Cache[go.shape.string]).Put", File: "/home/me/m/store/cache.go", Line: 120, Via: "bytes.Clone", Share: 0.9, Trend: "rose",
						GrowthChange: of(28*mib, 23*mib, 33*mib, 28*mib/180), Values: []float64{10 * mib, 19 * mib, 30 * mib, 38 * mib}, Objects: []float64{10240, 20000, 30000, 38912}, Samples: 56, Rose: 3,
					},
					{Func: "main.grow", File: "main.go", Line: 7, Share: 0.06, Trend: "rose", GrowthChange: of(2*mib, mib, 3*mib, 2*mib/180), Values: []float64{mib, mib, mib, 3 * mib}, Objects: []float64{1, 1, 1, 1}, Rose: 1},
				},
				Others:    []model.GrowthSite{{Func: "main.warm", File: "main.go", Line: 9, Trend: "levelled", GrowthChange: of(9*mib, mib, 12*mib, 0)}, {Func: "main.freed", File: "main.go", Line: 12, Trend: "fell", GrowthChange: of(-9*mib, -12*mib, -mib, 0)}},
				Allocated: &model.AllocRate{Bytes: 1800 * mib, Lo: 1700 * mib, Hi: 1900 * mib, PerSecond: 10 * mib, ObjectsPerSecond: 12345, Sites: []model.AllocSite{{Func: "main.render", File: "main.go", Line: 40, Via: "fmt.Sprintf", Bytes: 900 * mib}}},
				Meaning:   "More of what these lines made is alive.", Lever: "A bound.", Before: "An even load.", Gap: "It is made again.", Rules: []model.SignRule{{Name: "unboundedcache"}},
				Warnings: []model.Warning{{Seen: "something"}},
			},
			{
				Kind: "goroutine", Sources: []string{"http://h/debug/pprof/goroutine", "http://h/debug/pprof/goroutine"}, Unit: "goroutines", Seconds: 60,
				Points: []model.GrowthPoint{{Total: 1100}, {Total: 1220}}, Total: of(120, 120, 120, 2), Risen: 120, Steady: 1, Least: 10, Meaning: "More wait here.", Lever: "An end for each.",
				Suspects: []model.GrowthSite{{Func: "main.wait", File: "main.go", Line: 32, Wait: "channel", Started: "main.serve.func1", Share: 1, Trend: "rose", GrowthChange: of(120, 120, 120, 2), Values: []float64{10, 130}, Rose: 1}},
			},
			{Kind: "goroutineleak", Sources: []string{"x", "y"}, Unit: "goroutines", Points: []model.GrowthPoint{{Total: 1}, {Total: 1}}},
		},
		Memory: []model.Memory{{
			Source: "http://h/debug/pprof/heap?debug=1", Sys: 400 * mib, Released: 80 * mib, Held: 320 * mib, PeakRSS: 500 * mib, Outside: 100 * mib, NextGC: 80 * mib, Cycles: 12, GCShare: 0.013, StandsOut: 1,
			Parts: []model.MemoryPart{
				{Name: "idle", Title: "idle, not given back", Bytes: 200 * mib, Share: 0.625, Meaning: "Pages without objects.", Lever: "The burst.", Before: "It stays.", Gap: "Page faults.", Rules: []model.SignRule{{Name: "gomemlimit"}}},
				{Name: "live", Title: "objects that are alive", Bytes: 120 * mib, Share: 0.375},
			},
		}},
	}
}

// RuntimeMetrics returns figures of a program. Some stand out.
func RuntimeMetrics() *model.RuntimeMetrics {
	at := func(x float64) *float64 { return &x }
	return &model.RuntimeMetrics{
		Sources: []model.MetricSource{{Name: "http://localhost:9090/metrics", Form: "prometheus"}, {Name: "process 12", Form: "process"}}, Seconds: 10, Readings: 5, Go: "go1.26.1",
		Figures: []model.Metric{
			{Name: "gc_cpu_share", Title: "collector, of the CPU time used", Value: 0.34, Unit: "share"},
			{Name: "gc_capacity_share", Title: "collector, of GOMAXPROCS", Value: 0.012, Unit: "share", Note: "since the start"},
			{Name: "gc_cycles", Title: "cycles of the collector", Value: 12.04, Unit: "cycles/s"},
			{Name: "gogc", Title: "GOGC", Value: -1, Unit: "%"},
			{Name: "memory_limit", Title: "GOMEMLIMIT", Value: -1, Unit: "bytes"},
			{Name: "alloc_bytes", Title: "allocated", Value: 3 << 20, Unit: "bytes/s"},
			{Name: "alloc_objects", Title: "objects allocated", Value: 154831, Unit: "objects/s"},
			{Name: "sched_latency_p50", Title: "wait to run, median", Value: 6.4e-8, Lo: at(0), Hi: at(6.4e-8), Unit: "s"},
			{Name: "sched_latency_p99", Title: "wait to run, 99th percentile", Value: 0.01, Lo: at(0.001), Hi: at(0.01), Unit: "s"},
			{Name: "sched_latency_longest", Title: "wait to run, longest", Value: 0.117, Lo: at(0.117), Unit: "s"},
			{Name: "goroutines", Title: "goroutines", Value: 1900, First: at(812), Unit: "goroutines"},
			{Name: "threads", Title: "threads", Value: 7, First: at(7.2), Unit: "threads"},
			{Name: "cpu_quota", Title: "CPU quota", Value: 0, Unit: "cpus"},
		},
		Signs: []model.MetricSign{{
			Name: "collector", Title: "collecting garbage", Seen: "34 % of the CPU time used, in 120 cycles", Metric: "gc_cpu_share", Value: 0.34, Threshold: 0.1, Unit: "share",
			Meaning: "Cycles times what is alive.", Lever: "Allocate less.", Before: "The peak fits.", Gap: "More memory for good.", Rules: []model.SignRule{{Name: "gogc"}, {Name: "gomemlimit"}},
		}},
		Unknown:  []model.MetricGap{{What: "waiting for mutexes", Why: "not on the pages that were read", Try: "collectors.MetricsAll"}},
		Warnings: []model.Warning{{Seen: "counters fell", Cause: "it crashed", Try: "its log"}},
	}
}

// ObservedRuns returns a diagnosis of runs that pawl watched.
func ObservedRuns() *model.Diagnosis {
	return &model.Diagnosis{
		Observed: []model.Observed{
			{
				Form: "benchmarks", Target: "./p", Seconds: 3.9, CPUNs: 4.1e9, Ended: "all benchmarks ended", Empty: []string{"mutex", "block"},
				Benchmarks: []model.RanBenchmark{{Pkg: "m/p", Name: "BenchmarkJoin/n-2", N: 1000000, Seconds: 1.32}, {Pkg: "m/p", Name: "BenchmarkOld-2", N: 12, Seconds: 0.001}},
			},
			{
				Form: "command", Target: "server -addr :8080", Seconds: 10, CPUNs: 12e9, Ended: "ended by pawl after 10.0 s", Code: -1,
				Process: &model.ProcessUse{Samples: 100, Processes: 2, Threads: 12, PeakRSS: 120 << 20, LastRSS: 80 << 20, Voluntary: 34449, Involuntary: 10494,
					RunNs: 11.8e9, WaitNs: 3.2e9, Periods: 100, Throttled: 4, ThrottledNs: 120e6, Cores: 1.5},
				GC: &model.GCLines{Cycles: 1300, Forced: 3, CPUNs: 1.5e9, AssistNs: 22e6, StopNs: 47e6, LongestStopNs: 4.9e6, LiveBytes: 40 << 20, LastLiveBytes: 38 << 20,
					GoalBytes: 81 << 20, Processors: 2, Programs: 1},
				Signs: []model.Sign{{Name: "collector", Title: "collecting garbage", What: "CPU time of the command", Share: 0.125, Lo: 0.125, Hi: 0.125, Unit: "ns", Amount: 1.5e9,
					Threshold: 0.1, Meaning: "What it used.", Lever: "Allocate less.", Before: "Memory is there.", Gap: "A limit.", Rules: []model.SignRule{{Name: "gogc"}}}},
				Below:    []model.Sign{{Name: "cores", What: "time of threads with work", Share: 0.08, Threshold: 0.1}},
				Hint:     "where its source is at hand, pawl takes profiles too: pawl diagnose m/server",
				Warnings: []model.Warning{{Seen: "something was not seen", Try: "something else"}},
			},
		},
		Traces: []*model.Trace{{File: "trace.out", Format: "1.26", DurationNs: 1e9}},
	}
}

// ProfileComparison returns a diagnosis of what differs between profiles.
func ProfileComparison() *model.Diagnosis {
	return &model.Diagnosis{Compared: []model.ProfileComparison{
		{
			Kind: "cpu", What: "CPU time", Unit: "ns", By: "share",
			Base: model.ProfileSide{Sources: []string{"old.pprof"}, Samples: 4120, Total: 41.2e9},
			Now:  model.ProfileSide{Sources: []string{"new.pprof"}, Samples: 3998, Total: 39.98e9},
			Functions: []model.ProfileChange{
				{Func: "example.com/m/codec.(*Encoder).Encode", Before: 0.31, After: 0.12, Change: -0.613, Lo: -0.68, Hi: -0.52, Claimed: true, With: []string{"main.serve", "main.main"}},
				{Func: "runtime.mallocgc", Before: 0.041, After: 0.12, Change: 1.93, Lo: 1.1, Hi: 3.2, Claimed: true},
				{Func: "main.check", After: 0.03, Change: 1e6, Lo: 8, Hi: 1e6, Claimed: true},
				{Func: "main.rest", Before: 0.2, After: 0.27, Change: 0.35, Lo: 0.2, Hi: 0.5, Claimed: true, ShareOnly: true},
				{Func: "main.all", Before: 0.6, After: 0.59, Change: -0.02, Lo: -0.05, Hi: 0.01, Flat: &model.FlatChange{Before: 0.1, After: 0.02, Change: -0.8, Lo: -0.9, Hi: -0.6, Claimed: true}},
			},
			Lines:      []model.ProfileChange{{Func: "example.com/m/codec.(*Encoder).Encode", File: "/src/m/codec/encode.go", Line: 120, Before: 0.28, After: 0.09, Change: -0.68, Lo: -0.74, Hi: -0.6, Claimed: true}},
			Signs:      []model.ProfileChange{{Func: "allocation", Before: 0.041, After: 0.12, Change: 1.93, Lo: 1.1, Hi: 3.2, Claimed: true}},
			Quiet:      143,
			Moved:      []string{"main.check"},
			Noise:      model.ProfileNoise{Level: 0.05, Tested: 300, Inflation: 1},
			QuietLines: 60, Neutral: 1.31,
		},
		{
			Kind: "mutex", What: "waits", Unit: "waits", By: "op",
			Base:      model.ProfileSide{Sources: []string{"m1.pprof"}, Samples: 900, Total: 900, Ops: 1000},
			Now:       model.ProfileSide{Sources: []string{"m2.pprof"}, Samples: 90, Total: 90, Ops: 1000},
			Total:     &model.ProfileChange{Before: 0.9, After: 0.09, Change: -0.9, Lo: -0.95, Hi: -0.8, Claimed: true},
			Functions: []model.ProfileChange{{Func: "main.locked", Before: 0.9, After: 0.09, Change: -0.9, Lo: -0.95, Hi: -0.8, Claimed: true, BeforeDelay: 8e5, AfterDelay: 6e4}},
			Noise:     model.ProfileNoise{Level: 0.05, Tested: 4, Repeats: 3, Inflation: 0.7},
		},
		{
			Kind: "heap", What: "objects allocated", Unit: "objects", By: "share",
			Base:     model.ProfileSide{Sources: []string{"h1.pprof"}},
			Now:      model.ProfileSide{Sources: []string{"h2.pprof"}, Total: 10},
			Warnings: []model.Warning{{Seen: "the base: no samples"}},
		},
	}}
}

// Trace has all that a page shows.
func Trace() *model.Trace {
	started := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	lock := []model.Frame{
		{Func: "runtime.gopark", File: "/go/src/runtime/proc.go", Line: 435},
		{Func: "sync.(*Mutex).Lock", File: "/go/src/sync/mutex.go", Line: 46},
		{Func: "example.com/shop/stock.(*Shelf).take", File: "/src/stock/shelf.go", Line: 71},
		{Func: "example.com/shop/stock.(*Shelf).Order", File: "/src/stock/shelf.go", Line: 40},
		{Func: "example.com/shop/web.(*Server).order", File: "/src/web/server.go", Line: 133},
		{Func: "net/http.HandlerFunc.ServeHTTP", File: "/go/src/net/http/server.go", Line: 2294},
		{Func: "net/http.(*conn).serve", File: "/go/src/net/http/server.go", Line: 2102},
	}
	read := []model.Frame{
		{Func: "internal/poll.(*FD).Read", File: "/go/src/internal/poll/fd_unix.go", Line: 165},
		{Func: "net.(*conn).Read", File: "/go/src/net/net.go", Line: 196},
		{Func: "net/http.(*persistConn).readLoop", File: "/go/src/net/http/transport.go", Line: 2300},
	}
	waits := func(n, total, longest int64) model.Waits {
		return model.Waits{Count: n, TotalNs: total, LongestNs: longest}
	}
	atLock := model.TracePlace{Cause: model.WaitSync, Reason: "sync", Func: "net/http.(*conn).serve", Goroutine: 1234, AtNs: 512e6, Stack: lock, Home: 2,
		Waits: waits(41_250, 33.1e9, 210e6)}
	atRead := model.TracePlace{Cause: model.WaitNetwork, Reason: "network", Func: "net/http.(*persistConn).readLoop", Goroutine: 77, AtNs: 90e6, Stack: read, Home: -1,
		Waits: model.Waits{Count: 12, TotalNs: 5.2e9, LongestNs: 4.9e9, LongestCut: true, Cut: 3}}
	ready := model.TracePlace{Cause: model.WaitSched, Func: "example.com/shop/web.(*Server).run", By: "", Goroutine: 9, AtNs: 1.2e9, Stack: lock[2:], Home: 0,
		Waits: waits(90_000, 7.7e9, 31e6)}
	return &model.Trace{
		Schema: 1, Tool: "test", File: "trace.out", Format: "1.26", Started: &started, DurationNs: 5.02e9, Bytes: 41e6, Events: 3_456_789,
		Goroutines: 1034, RunningNs: 17.1e9,
		Causes: []model.TraceCause{
			{Cause: model.WaitSync, Share: 0.71, Meaning: "Goroutines waited for a mutex, a condition or a WaitGroup.", Lever: "Do less while the lock is held.",
				Rules: []string{"lockio", "falsesharing"}, Waits: waits(41_260, 33.3e9, 210e6), Places: []model.TracePlace{atLock}},
			{Cause: model.WaitSched, Share: 0.165, Meaning: "Goroutines were ready to run and had no processor.", Lever: "Run fewer goroutines at a time.",
				Rules: []string{"goroutineperitem"}, Waits: waits(90_000, 7.7e9, 31e6), Places: []model.TracePlace{ready}},
			{Cause: model.WaitNetwork, Share: 0.11, Meaning: "Goroutines waited for a connection or a pipe to become ready.", Lever: "Keep connections.",
				Waits: atRead.Waits, Places: []model.TracePlace{atRead}},
			{Cause: model.WaitGCAssist, Share: 0.0002, Meaning: "Goroutines had to mark.", Lever: "Allocate less.", Waits: waits(3, 8e6, 5e6)},
		},
		Groups: []model.TraceGroup{
			{Func: "net/http.(*conn).serve", Goroutines: 1000, RunningNs: 16e9, Waits: []model.TraceGrouped{{Cause: model.WaitSync, Waits: waits(41_250, 33.1e9, 210e6)}, {Cause: model.WaitSched, Waits: waits(9, 7.7e9, 9e6)}}},
			{Func: "golang.org/x/sync/errgroup.(*Group).Go.func1", By: "example.com/shop/stock.refill", Goroutines: 8, RunningNs: 1.1e9, Waits: []model.TraceGrouped{}},
			{Func: "runtime.gcBgMarkWorker", Runtime: true, Goroutines: 4, RunningNs: 1e9, Waits: []model.TraceGrouped{}},
		},
		Stalls: []model.TracePlace{atRead, atLock, ready},
		Parked: []model.TracePark{{Cause: model.WaitChannel, Func: "example.com/shop/stock.worker", Goroutines: 26, Stack: lock, Home: 2}},
		GC: model.TraceGC{Cycles: 12, MarkNs: 1.7e9, MarkShare: 0.34, WorkerNs: 4.1e9, IdleNs: 20e6, AssistNs: 8e6, Assists: 3, SweepNs: 2e6, CPUShare: 0.21,
			Stops:     []model.TraceSTW{{Reason: "GC mark termination", Waits: waits(12, 900e3, 200e3)}, {Reason: "GC sweep termination", Waits: waits(12, 400e3, 90e3)}},
			StoppedNs: 1.3e6, LongestStopNs: 200e3},
		Processors: model.TraceProcs{Max: 4, BusyNs: 18e9, BusyShare: 0.9, SaturatedShare: 0.8, QueueMean: 3.21, QueueMax: 812,
			Each: []model.TraceProc{{ID: 0, BusyShare: 0.99}, {ID: 1, BusyShare: 0.95}, {ID: 2, BusyShare: 0.66}, {ID: 3, BusyShare: 0.004}}},
	}
}
