package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func growths() *model.Diagnosis {
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

const growthText = `
Heap growth: store.(*Cache[…]).Put at cache.go:120, +28.0 MiB, +9.33 MiB/min;
one more suspect.
a.pprof → … → d.pprof · 4 points in 3 min 0 s · 40.0 MiB → 70.0 MiB · +30.0 MiB
[25.0 MiB, 36.0 MiB]

1  store.(*Cache[…]).Put → bytes.Clone, cache.go:120
   +28.0 MiB [23.0 MiB, 33.0 MiB], 90 % of all growth; +9.33 MiB/min [8.40 MiB,
   10.3 MiB]
   ▁▃▆█ 10.0 MiB → 38.0 MiB, rose in 3 of 3 steps, by 56 sampled objects
   more objects: 10,240 → 38,912, 1.00 KiB each on average

2  main.grow, main.go:7
   +2.00 MiB [1.00 MiB, 3.00 MiB], 6.0 % of all growth; +683 KiB/min [614 KiB,
   751 KiB]
   ▁▁▁█ 1.00 MiB → 3.00 MiB, rose in 1 of 3 steps
   larger objects rather than more: 1 object, 3.00 MiB each on average

   what   More of what these lines made is alive.
   lever  A bound.
   first  An even load.
   beware It is made again.
   rules  unboundedcache

Changed, and no suspects:
  +9.00 MiB  came to rest  main.go:9   main.warm
  −9.00 MiB  fell          main.go:12  main.freed
  and 2 others

57 lines changed by no more than what sampling alone would show. One object is
sampled for each 512 KiB allocated: on a line, growth shows from about 5.60 MiB
on.

Allocated in that time: 1.76 GiB [1.66 GiB, 1.86 GiB], 10.0 MiB/s in 12,345
objects/s; 1.7 % of it stayed.
  50 %  main.go:40  main.render → fmt.Sprintf

Warnings:
! something

Goroutine growth: main.wait at main.go:32, +120, +120/min.
http://h/debug/pprof/goroutine · 2 points in 1 min 0 s · 1,100 → 1,220
goroutines · +120

1  main.wait waits on a channel, started as main.serve.func1, main.go:32
   +120, 100 % of all growth; +120/min
   ▁█ 10 → 130

   what   More wait here.
   lever  An end for each.

1 group changed by no more than what a load at random would show.

Leaked goroutines: nothing grew beyond noise.
x → y · 2 points · 1 → 1 goroutine · 0

Memory: Go holds 320 MiB; 62 % of it: idle, not given back.
http://h/debug/pprof/heap?debug=1 · 80.0 MiB given back · RSS at its peak
500 MiB · of that not Go's at least 100 MiB · next cycle at 80.0 MiB · 12 cycles
so far · 1.3 % of CPU time

  idle  ███████████████░░░░░░░░░  62 %  200 MiB  idle, not given back
  live  █████████░░░░░░░░░░░░░░░  38 %  120 MiB  objects that are alive

1  idle: idle, not given back
   what   Pages without objects.
   lever  The burst.
   first  It stays.
   beware Page faults.
   rules  gomemlimit

More about a rule: pawl rules NAME. What a threshold is, and what to trust:
docs/diagnose.md.
`

func TestGrowthText(t *testing.T) {
	var b strings.Builder
	if err := DiagnosisText(&b, growths(), Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(growthText[1:], b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestGrowthWidths(t *testing.T) { fits(t, growths()) }

// Many points take half a line.
func TestCurve(t *testing.T) {
	s := &sheet{o: Options{Width: 40}}
	var values []float64
	for i := range 100 {
		values = append(values, float64(i))
	}
	if got := s.curve(values); utf8.RuneCountInString(got) > 20 || !strings.HasPrefix(got, "▁") || !strings.HasSuffix(got, "█") {
		t.Errorf("%q", got)
	}
	if got := s.curve([]float64{5, 5}); got != "▁▁" {
		t.Errorf("%q", got)
	}
}
