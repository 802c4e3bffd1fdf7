package diagnosis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

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
	if err := Text(&b, specimen.Growths(), sheet.Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(growthText[1:], b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestGrowthWidths(t *testing.T) { fits(t, specimen.Growths()) }
