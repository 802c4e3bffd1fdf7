package metrics

import "strings"

// A kind is how a figure behaves over time.
type kind int

const (
	level     kind = iota
	counter        // only grows, until the program is started again
	histogram      // of counters
)

// Figures go by the names of runtime/metrics. What that package does not have
// goes by names without a slash in front.
const (
	gcTotal      = "/cpu/classes/gc/total:cpu-seconds"
	gcAssist     = "/cpu/classes/gc/mark/assist:cpu-seconds"
	gcIdle       = "/cpu/classes/gc/mark/idle:cpu-seconds"
	cpuIdle      = "/cpu/classes/idle:cpu-seconds"
	cpuTotal     = "/cpu/classes/total:cpu-seconds"
	cycles       = "/gc/cycles/total:gc-cycles"
	forced       = "/gc/cycles/forced:gc-cycles"
	limiter      = "/gc/limiter/last-enabled:gc-cycle"
	gogc         = "/gc/gogc:percent"
	memoryLimit  = "/gc/gomemlimit:bytes"
	heapLive     = "/gc/heap/live:bytes"
	heapGoal     = "/gc/heap/goal:bytes"
	allocBytes   = "/gc/heap/allocs:bytes"
	allocObjects = "/gc/heap/allocs:objects"
	heapObjects  = "/memory/classes/heap/objects:bytes"
	heapUnused   = "/memory/classes/heap/unused:bytes"
	heapFree     = "/memory/classes/heap/free:bytes"
	heapReleased = "/memory/classes/heap/released:bytes"
	memoryTotal  = "/memory/classes/total:bytes"
	gcPauses     = "/sched/pauses/total/gc:seconds"
	oldPauses    = "/gc/pauses:seconds"
	latencies    = "/sched/latencies:seconds"
	mutexWait    = "/sync/mutex/wait/total:seconds"
	goroutines   = "/sched/goroutines:goroutines"
	procs        = "/sched/gomaxprocs:threads"
	threads      = "/sched/threads/total:threads"
	cgoCalls     = "/cgo/go-to-c-calls:calls"

	heapInuse   = "heap in use"       // bytes
	heapIdle    = "heap idle"         // bytes, with what was released
	gcFraction  = "GC's CPU fraction" // of GOMAXPROCS since the start
	pauseSum    = "pauses' sum"       // s
	pauseLast   = "longest pause"     // s, of the last 256 cycles
	residentSet = "resident"          // bytes
	processCPU  = "process' CPU"      // s
	started     = "started"           // s since 1970
	quotaCPUs   = "quota"             // CPUs; 0 without one
	periods     = "quota periods"
	stopped     = "periods stopped"
)

// A name is how the forms call one figure.
type name struct {
	key  string
	kind kind
	prom []string // what Prometheus clients call it besides the name made from key
	mem  string   // the field of runtime.MemStats
	// scale turns the field's unit into the figure's; 0 is 1.
	scale float64
}

// names are all figures that are read. Of several that a page has for one key,
// the first in prom counts, then the name made from the key.
func names() []name {
	return []name{
		{key: gcTotal, kind: counter}, {key: gcAssist, kind: counter}, {key: gcIdle, kind: counter},
		{key: cpuIdle, kind: counter}, {key: cpuTotal, kind: counter},
		{key: cycles, kind: counter, prom: []string{"go_gc_duration_seconds_count"}, mem: "NumGC"},
		{key: forced, kind: counter, mem: "NumForcedGC"},
		{key: limiter, kind: level},
		{key: gogc, kind: level},
		{key: memoryLimit, kind: level},
		{key: heapLive, kind: level},
		{key: heapGoal, kind: level, prom: []string{"go_memstats_next_gc_bytes"}, mem: "NextGC"},
		{key: allocBytes, kind: counter, prom: []string{"go_memstats_alloc_bytes_total"}, mem: "TotalAlloc"},
		{key: allocObjects, kind: counter, prom: []string{"go_memstats_mallocs_total"}, mem: "Mallocs"},
		{key: heapObjects, kind: level, prom: []string{"go_memstats_heap_alloc_bytes"}, mem: "HeapAlloc"},
		{key: heapUnused, kind: level}, {key: heapFree, kind: level},
		{key: heapReleased, kind: level, prom: []string{"go_memstats_heap_released_bytes"}, mem: "HeapReleased"},
		{key: memoryTotal, kind: level, prom: []string{"go_memstats_sys_bytes"}, mem: "Sys"},
		{key: gcPauses, kind: histogram}, {key: oldPauses, kind: histogram}, {key: latencies, kind: histogram},
		{key: mutexWait, kind: counter},
		{key: goroutines, kind: level, prom: []string{"go_goroutines"}},
		{key: procs, kind: level},
		{key: threads, kind: level, prom: []string{"go_threads"}},
		{key: cgoCalls, kind: counter},
		{key: heapInuse, kind: level, prom: []string{"go_memstats_heap_inuse_bytes"}, mem: "HeapInuse"},
		{key: heapIdle, kind: level, prom: []string{"go_memstats_heap_idle_bytes"}, mem: "HeapIdle"},
		{key: gcFraction, kind: level, prom: []string{"go_memstats_gc_cpu_fraction"}, mem: "GCCPUFraction"},
		{key: pauseSum, kind: counter, prom: []string{"go_gc_duration_seconds_sum"}, mem: "PauseTotalNs", scale: 1e-9},
		{key: pauseLast, kind: level, prom: []string{"go_gc_duration_seconds"}},
		{key: residentSet, kind: level, prom: []string{"process_resident_memory_bytes"}},
		{key: processCPU, kind: counter, prom: []string{"process_cpu_seconds_total"}},
		{key: started, kind: level, prom: []string{"process_start_time_seconds"}},
	}
}

// promName is what client_golang makes of a name of runtime/metrics, "" for
// others.
func promName(key string, k kind) string {
	path, unit, ok := strings.Cut(key, ":")
	if !ok || path[0] != '/' {
		return ""
	}
	s := "go" + strings.NewReplacer("/", "_", "-", "_").Replace(path+"/"+unit)
	if k == counter {
		s += "_total"
	}
	return s
}
