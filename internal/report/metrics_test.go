package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

func runtimeMetrics() *model.RuntimeMetrics {
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
	if err := DiagnosisText(&b, &model.Diagnosis{Metrics: runtimeMetrics()}, Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(metricsText[1:], b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	fits(t, &model.Diagnosis{Metrics: runtimeMetrics()})
	m := runtimeMetrics()
	m.Signs = nil
	if got := metricsHeadline(m); got != "Runtime metrics: nothing stands out." {
		t.Errorf("%q", got)
	}
}
