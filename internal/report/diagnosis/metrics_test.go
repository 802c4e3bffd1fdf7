package diagnosis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/lab/specimen"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/metrics"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

const metricsText = `
Runtime metrics: collecting garbage.
http://localhost:9090/metrics, process 12 · 5 readings in 10 s · go1.26.1

  collector, of the CPU time used               34 %  stands out: 1
  collector, of GOMAXPROCS                     1.2 %  since the start
  cycles of the collector                     12.0/s
  GOGC                                           off
  GOMEMLIMIT                                    none
  allocated                               3.00 MiB/s
  objects allocated                        154,831/s
  wait to run, median                      ≤ 64.0 ns
  wait to run, 99th percentile     1.00 ms – 10.0 ms
  wait to run, longest                      > 117 ms
  goroutines                             812 → 1,900
  threads                                          7
  CPU quota                                     none

1  collector: collecting garbage
   34 % of the CPU time used, in 120 cycles (from 10 % on)
   what   Cycles times what is alive.
   lever  Allocate less.
   first  The peak fits.
   beware More memory for good.
   rules  gogc, gomemlimit

Not known:
  waiting for mutexes: not on the pages that were read.
    try: collectors.MetricsAll

Warnings:
! counters fell
  likely because it crashed
  try: its log

More about a rule: pawl rules NAME. What a threshold is, and what to trust:
docs/diagnose.md.
`

func TestMetricsText(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, &model.Diagnosis{Metrics: specimen.RuntimeMetrics()}, sheet.Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(metricsText[1:], b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	fits(t, &model.Diagnosis{Metrics: specimen.RuntimeMetrics()})
	m := specimen.RuntimeMetrics()
	m.Signs = nil
	if got := metrics.Headline(m); got != "Runtime metrics: nothing stands out." {
		t.Errorf("%q", got)
	}
}
