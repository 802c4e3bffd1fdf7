package admin

import (
	"math"
	"net/http"
	"path"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"
)

// metricsPage has all of runtime/metrics, by the names that the Go collector of
// Prometheus gives them, and of what that collector had before, what is the same.
func metricsPage(*http.Request) (*answer, error) {
	var e exposition
	values := e.runtime()
	// The runtime's own goroutines, which /sched/goroutines counts, are none of the program's.
	e.number("go_goroutines", "gauge", "Number of goroutines that currently exist.", float64(runtime.NumGoroutine()))
	e.memStats(values)
	e.collections()
	e.program()
	e.process()
	return &answer{contentType: "text/plain; version=0.0.4; charset=utf-8", body: e.out}, nil
}

// runtime writes what runtime/metrics has, and returns the numbers in it.
func (e *exposition) runtime() map[string]uint64 {
	descs := metrics.All()
	samples := make([]metrics.Sample, len(descs))
	for i, d := range descs {
		samples[i].Name = d.Name
	}
	metrics.Read(samples)
	values := make(map[string]uint64)
	for i, d := range descs {
		help := d.Description + " Sourced from " + d.Name + "."
		switch v := samples[i].Value; v.Kind() {
		case metrics.KindUint64:
			values[d.Name] = v.Uint64()
			e.number(promName(d), kindOf(d), help, float64(v.Uint64()))
		case metrics.KindFloat64:
			e.number(promName(d), kindOf(d), help, v.Float64())
		case metrics.KindFloat64Histogram:
			e.histogram(promName(d), help, v.Float64Histogram(), largest(d))
		}
	}
	return values
}

// largest is the bound above which buckets are one: the runtime has them up to a day.
func largest(d metrics.Description) float64 {
	if strings.HasSuffix(d.Name, ":seconds") {
		return 100
	}
	return math.Inf(1)
}

func kindOf(d metrics.Description) string {
	if d.Cumulative {
		return "counter"
	}
	return "gauge"
}

// promName is what client_golang makes of a name of runtime/metrics.
func promName(d metrics.Description) string {
	key, unit, _ := strings.Cut(d.Name, ":")
	underscores := strings.NewReplacer("/", "_", "-", "_")
	name := "go_" + underscores.Replace(path.Dir(key)[1:]) + "_" + underscores.Replace(path.Base(key)) +
		"_" + strings.NewReplacer("-", "_", "*", "_", "/", "_per_").Replace(unit)
	if d.Cumulative && d.Kind != metrics.KindFloat64Histogram {
		name += "_total"
	}
	return name
}

// An older is a metric by the name of a field of runtime.MemStats, or another that
// is older than runtime/metrics: the sum of some of that package's.
type older struct {
	name, kind, help string
	of               []string
}

func olders() []older {
	const (
		objects, unused = "/memory/classes/heap/objects:bytes", "/memory/classes/heap/unused:bytes"
		free, released  = "/memory/classes/heap/free:bytes", "/memory/classes/heap/released:bytes"
		stacks          = "/memory/classes/heap/stacks:bytes"
		tiny            = "/gc/heap/tiny/allocs:objects"
	)
	return []older{
		{"go_threads", "gauge", "Number of OS threads.", []string{"/sched/threads/total:threads"}},
		{"go_memstats_alloc_bytes", "gauge", "Bytes of heap objects, with those not yet collected.", []string{objects}},
		{"go_memstats_alloc_bytes_total", "counter", "Bytes allocated on the heap since the start.", []string{"/gc/heap/allocs:bytes"}},
		{"go_memstats_mallocs_total", "counter", "Heap objects allocated since the start.", []string{"/gc/heap/allocs:objects", tiny}},
		{"go_memstats_frees_total", "counter", "Heap objects freed since the start.", []string{"/gc/heap/frees:objects", tiny}},
		{"go_memstats_heap_alloc_bytes", "gauge", "The same as go_memstats_alloc_bytes.", []string{objects}},
		{"go_memstats_heap_objects", "gauge", "Heap objects, with those not yet collected.", []string{"/gc/heap/objects:objects"}},
		{"go_memstats_heap_sys_bytes", "gauge", "Heap memory obtained from the system.", []string{objects, unused, free, released}},
		{"go_memstats_heap_inuse_bytes", "gauge", "Heap memory in spans in use.", []string{objects, unused}},
		{"go_memstats_heap_idle_bytes", "gauge", "Heap memory in idle spans, with what was given back.", []string{free, released}},
		{"go_memstats_heap_released_bytes", "gauge", "Heap memory given back to the system.", []string{released}},
		{"go_memstats_stack_inuse_bytes", "gauge", "Memory of goroutines' stacks.", []string{stacks}},
		{"go_memstats_stack_sys_bytes", "gauge", "Memory of stacks obtained from the system.", []string{stacks, "/memory/classes/os-stacks:bytes"}},
		{"go_memstats_next_gc_bytes", "gauge", "Heap size at which the next collection ends.", []string{"/gc/heap/goal:bytes"}},
		{"go_memstats_sys_bytes", "gauge", "Memory obtained from the system.", []string{"/memory/classes/total:bytes"}},
	}
}

// memStats writes those whose parts this release has.
func (e *exposition) memStats(values map[string]uint64) {
	for _, o := range olders() {
		sum, known := uint64(0), true
		for _, key := range o.of {
			v, ok := values[key]
			sum, known = sum+v, known && ok
		}
		if known {
			e.number(o.name, o.kind, o.help, float64(sum))
		}
	}
}

// collections writes the pauses of the last collections, and when the last one was.
func (e *exposition) collections() {
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&stats)
	const name = "go_gc_duration_seconds"
	e.family(name, "summary", "Pauses of the collector; the quantiles are of the last 256 cycles.")
	for i, q := range []string{"0", "0.25", "0.5", "0.75", "1"} {
		e.sample(name, stats.PauseQuantiles[i].Seconds(), "quantile", q)
	}
	e.sample(name+"_sum", stats.PauseTotal.Seconds())
	e.sample(name+"_count", float64(stats.NumGC))
	e.number("go_memstats_last_gc_time_seconds", "gauge", "When the last collection ended, in seconds since 1970; 0 before the first.", lastGC(stats))
}

func lastGC(stats debug.GCStats) float64 {
	if stats.NumGC == 0 {
		return 0
	}
	return float64(stats.LastGC.UnixNano()) / 1e9
}

// process writes what the system says about the process, by the names that Prometheus' clients
// have for it; the runtime only estimates CPU time.
func (e *exposition) process() {
	if spent, ok := processCPU(); ok {
		e.number("process_cpu_seconds_total", "counter", "CPU time of the process, in seconds, user and system.", spent)
	}
	if at, ok := started(); ok {
		e.number("process_start_time_seconds", "gauge", "When the process started, in seconds since 1970.", at)
	}
}

// program writes what was built, and with which Go.
func (e *exposition) program() {
	e.family("go_info", "gauge", "The release of Go that the program was built with.")
	e.sample("go_info", 1, "version", runtime.Version())
	if info, ok := debug.ReadBuildInfo(); ok {
		e.family("go_build_info", "gauge", "The program's main module.")
		e.sample("go_build_info", 1, "checksum", info.Main.Sum, "path", info.Main.Path, "version", info.Main.Version)
	}
}
