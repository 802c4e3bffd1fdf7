package metrics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// over makes a program of its figures, ten seconds apart.
func over(readings ...map[string]float64) *model.RuntimeMetrics {
	s := &series{}
	for i, values := range readings {
		r := newReading("test")
		r.Values, r.At = values, time.Unix(int64(10*i), 0)
		s.readings = append(s.readings, r)
	}
	l := &look{all: []*series{s}, out: &model.RuntimeMetrics{}}
	l.figures()
	l.signs()
	return l.out
}

type figures = map[string]float64

// Each sign stands out where its figures say so, and only there.
func TestSigns(t *testing.T) {
	const gib = 1 << 30
	cpu := func(total, rest, gc, spare, assist float64) figures {
		return figures{cpuTotal: total, cpuIdle: rest, gcTotal: gc, gcIdle: spare, gcAssist: assist}
	}
	for _, tt := range []struct {
		name        string
		first, last figures
		want        string
	}{
		{"quiet", figures{}, figures{}, ""},
		{"the collector", cpu(0, 0, 0, 0, 0), cpu(40, 20, 5, 1, 0), "collector"},
		{"the collector on idle processors", cpu(0, 0, 0, 0, 0), cpu(40, 20, 5, 4, 0), ""},
		{"the collector of a program at rest", cpu(0, 0, 0, 0, 0), cpu(40, 39.9, 0.05, 0, 0), ""},
		{"assist", cpu(0, 0, 0, 0, 0), cpu(40, 20, 1.5, 0, 0.3), "assist"},
		{"since the start", figures{gcFraction: 0.12}, figures{gcFraction: 0.12}, "collector"},
		{"limit", figures{memoryTotal: gib, heapReleased: 0, memoryLimit: gib}, figures{memoryTotal: gib, heapReleased: 0, memoryLimit: gib}, "memorylimit"},
		{"given back before the limit", figures{memoryTotal: gib, heapReleased: gib / 2, memoryLimit: gib}, figures{memoryTotal: gib, heapReleased: gib / 2, memoryLimit: gib}, ""},
		{"no limit", figures{memoryTotal: gib, heapReleased: 0, memoryLimit: off}, figures{memoryTotal: gib, heapReleased: 0, memoryLimit: off}, ""},
		{"outside", figures{memoryTotal: gib, heapReleased: 0, residentSet: 3 * gib}, figures{memoryTotal: gib, heapReleased: 0, residentSet: 3 * gib}, "outside"},
		{"outside, and little", figures{memoryTotal: 10, heapReleased: 0, residentSet: 3000}, figures{memoryTotal: 10, heapReleased: 0, residentSet: 3000}, ""},
		{"idle heap", figures{memoryTotal: gib, heapReleased: 0, heapFree: 0.6 * gib}, figures{memoryTotal: gib, heapReleased: 0, heapFree: 0.6 * gib}, "idleheap"},
		{"forced", figures{forced: 0}, figures{forced: 3}, "forced"},
		{"forced once", figures{forced: 0}, figures{forced: 1}, ""},
		{"pauses", figures{pauseSum: 0, cycles: 0}, figures{pauseSum: 0.2, cycles: 10}, "pauses"},
		{"mutex", figures{mutexWait: 0}, figures{mutexWait: 2}, "mutexwait"},
		{"threads", figures{threads: 500, procs: 8}, figures{threads: 500, procs: 8}, "threads"},
		{"threads of a large machine", figures{threads: 120, procs: 64}, figures{threads: 120, procs: 64}, ""},
		{"cgo", figures{cgoCalls: 0}, figures{cgoCalls: 2e7}, "cgo"},
		{"throttled", figures{quotaCPUs: 2, periods: 0, stopped: 0, procs: 16}, figures{quotaCPUs: 2, periods: 100, stopped: 30, procs: 16}, "gomaxprocs"},
		{"throttled at the quota", figures{quotaCPUs: 1.5, periods: 0, stopped: 0, procs: 2}, figures{quotaCPUs: 1.5, periods: 100, stopped: 30, procs: 2}, "throttled"},
		{"throttled, and nothing said of GOMAXPROCS", figures{quotaCPUs: 1.5, periods: 0, stopped: 0}, figures{quotaCPUs: 1.5, periods: 100, stopped: 30}, "throttled"},
		{"a quota that is not met", figures{quotaCPUs: 2, periods: 0, stopped: 0, procs: 16}, figures{quotaCPUs: 2, periods: 100, stopped: 0, procs: 16}, ""},
	} {
		if got := signed(over(tt.first, tt.last)); got != tt.want {
			t.Errorf("%s: %q stands out, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSpiral(t *testing.T) {
	first := figures{memoryTotal: 1e9, heapReleased: 0, memoryLimit: 1e9, cpuTotal: 0, cpuIdle: 0, gcTotal: 0, gcIdle: 0, cycles: 5, limiter: 0}
	last := figures{memoryTotal: 1e9, heapReleased: 0, memoryLimit: 1e9, cpuTotal: 20, cpuIdle: 0, gcTotal: 9, gcIdle: 0, cycles: 90, limiter: 88}
	m := over(first, last)
	if signed(m) != "memorylimit collector" || !strings.Contains(m.Signs[0].Seen, "spiral") || !strings.Contains(m.Signs[0].Seen, "cycle 88 of 90") {
		t.Errorf("%+v", m.Signs)
	}
}

// Goroutines grow when there are more at each reading, not when they come and
// go.
func TestGoroutineGrowth(t *testing.T) {
	at := func(ns ...float64) *model.RuntimeMetrics {
		var readings []figures
		for _, n := range ns {
			readings = append(readings, figures{goroutines: n})
		}
		return over(readings...)
	}
	for _, tt := range []struct {
		ns   []float64
		want string
	}{
		{[]float64{100, 200, 300}, "goroutinegrowth"},
		{[]float64{100, 300, 200, 400}, ""},
		{[]float64{100, 300}, ""},
		{[]float64{10_000, 10_100, 10_200}, ""},
		{[]float64{10, 20, 30}, ""},
	} {
		if got := signed(at(tt.ns...)); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.ns, got, tt.want)
		}
	}
}

// A heap grows in steps, one for each cycle, and does not fall in between.
func TestHeapGrowth(t *testing.T) {
	for _, tt := range []struct {
		mib  []float64
		want string
	}{
		{[]float64{4, 4, 80, 80, 300}, "heapgrowth"},
		{[]float64{4, 300, 4, 300, 300}, ""},
		{[]float64{4, 300}, ""},
		{[]float64{300, 300, 300}, ""},
		{[]float64{1000, 1050, 1100}, ""},
		{[]float64{4, 8, 16}, ""},
	} {
		var readings []figures
		for _, v := range tt.mib {
			readings = append(readings, figures{heapGoal: v * (1 << 20)})
		}
		if got := signed(over(readings...)); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.mib, got, tt.want)
		}
	}
}

// A latency stands out by the lower bound of its bucket, and by enough events.
func TestSchedLatency(t *testing.T) {
	buckets := []float64{0, 0.0009175039999999999, 0.0104, 0.117}
	for _, tt := range []struct {
		counts []float64
		want   string
	}{
		{[]float64{50, 950, 0}, "schedlatency"},
		{[]float64{995, 5, 0}, ""},
		{[]float64{0, 50, 0}, ""},
	} {
		s := &series{readings: []*Reading{newReading("test"), newReading("test")}}
		s.readings[1].At = time.Unix(1e9, 0)
		s.readings[0].Hists[latencies] = Histogram{buckets, []float64{0, 0, 0}}
		s.readings[1].Hists[latencies] = Histogram{buckets, tt.counts}
		l := &look{all: []*series{s}, out: &model.RuntimeMetrics{}}
		l.figures()
		l.signs()
		if got := signed(l.out); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.counts, got, tt.want)
		}
	}
}

// The ring of pauses gives those of the cycles between two readings.
func TestRing(t *testing.T) {
	ring := make([]float64, 256)
	for cycle := 200; cycle <= 300; cycle++ {
		ring[(cycle+255)%256] = float64(cycle)
	}
	for _, tt := range []struct {
		first, last float64
		want        string
	}{
		{297, 300, "[298 299 300]"}, {300, 300, "[]"}, {300, 299, "[]"},
	} {
		a, b := newReading("test"), newReading("test")
		a.Values[cycles], b.Values[cycles], b.Pauses = tt.first, tt.last, ring
		l := &look{all: []*series{{readings: []*Reading{a, b}}}}
		if got, _ := l.ring(); fmt.Sprint(got) != tt.want {
			t.Errorf("%v to %v: %v, want %s", tt.first, tt.last, got, tt.want)
		}
	}
	a, b := newReading("test"), newReading("test")
	a.Values[cycles], b.Values[cycles], b.Pauses = 0, 1e6, ring
	if got, note := (&look{all: []*series{{readings: []*Reading{a, b}}}}).ring(); len(got) != 256 || note == "" {
		t.Errorf("%d pauses, %q", len(got), note)
	}
}
