package diagnosis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

const observedText = `
2 benchmarks of ./p, profiled for 3.9 s.
benchmarks under profilers · 4.1 s of CPU time · 1.1 cores busy

  last round  iterations  benchmark
      1.32 s   1,000,000  Join/n-2
     1.00 ms          12  Old-2
Taken, and without a sample: mutex, block.

server -addr :8080: collecting garbage, 12 % of the CPU time of the command;
ended by pawl after 10.0 s.
seen from outside · 12 s of CPU time · 1.2 cores busy

  memory     120 MiB resident at most, 80.0 MiB at the end; 2 processes at most,
             together
  threads    12 at most; 34,449 context switches by themselves, 10,494 for want
             of a core
  cores      threads ran 11.8 s and were ready without a core for 3.20 s
  limit      1.5 cores; stopped in 4 of 100 periods, for 120 ms
  collector  1,300 cycles, 130.0 a second, 3 of them asked for; 1.50 s by its
             own count, 22.0 ms of it by goroutines that allocate
  heap       40.0 MiB live at most, 38.0 MiB after the last cycle; goal 81.0 MiB
             at most
  stops      47.0 ms of wall time in all, the longest 4.90 ms

  collector  ███░░░░░░░░░░░░░░░░░░░░░   12 %
  cores      ██░░░░░░░░░░░░░░░░░░░░░░  8.0 %  below 10 %

1  collector: collecting garbage
   12 % of the CPU time of the command, 1.50 s

   what   What it used.
   lever  Allocate less.
   first  Memory is there.
   beware A limit.
   rules  gogc

More: where its source is at hand, pawl takes profiles too: pawl diagnose
m/server

Warnings:
! something was not seen
  try: something else

No goroutine waited.
trace.out, 1.00 s, format of Go 1.26, 0 processors, 0 goroutines, 0 events
`

func TestObservedText(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, specimen.ObservedRuns(), sheet.Options{}); err != nil {
		t.Fatal(err)
	}
	got, _, _ := strings.Cut(b.String(), "\nGarbage collector")
	if diff := cmp.Diff(observedText[1:], got); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestObservedWidths(t *testing.T) { fits(t, specimen.ObservedRuns()) }
