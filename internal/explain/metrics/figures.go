package metrics

import (
	"fmt"
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
)

// figures puts down all that is known, in the order in which it is shown.
func (l *look) figures() {
	l.collector()
	l.pauses()
	l.heap()
	l.memory()
	l.allocation()
	l.scheduler()
	l.machine()
}

func (l *look) add(m model.Metric, key string) {
	m.From = l.from(key)
	l.out.Figures = append(l.out.Figures, m)
}

// rate adds a counter's growth per second.
func (l *look) rate(key, name, title, unit string) {
	if by, seconds, ok := l.grew(key); ok {
		l.add(model.Metric{Name: name, Title: title, Value: by / seconds, Unit: unit}, key)
	}
}

// put adds a level, with what it was at first where that is another.
func (l *look) put(key, name, title, unit string) {
	last, first, ok := l.level(key)
	if !ok {
		return
	}
	m := model.Metric{Name: name, Title: title, Value: last, Unit: unit}
	if first != last {
		m.First = &first
	}
	l.add(m, key)
}

type growth = func(string) float64

// usedCPU is the CPU time that was used, without processors at rest.
func usedCPU(grew growth) float64 { return grew(cpuTotal) - grew(cpuIdle) }

// collector says what the collector costs. Idle processors that mark do not
// count: they had nothing else to do.
func (l *look) collector() {
	gc := func(grew growth) float64 { return grew(gcTotal) - grew(gcIdle) }
	keys := []string{gcTotal, gcIdle, cpuTotal, cpuIdle}
	if share, ok := l.shareOf(gc, usedCPU, keys...); ok {
		l.add(model.Metric{Name: "gc_cpu_share", Title: "collector, of the CPU time used", Value: share, Unit: "share"}, gcTotal)
		if of, ok := l.shareOf(gc, func(grew growth) float64 { return grew(cpuTotal) }, keys...); ok {
			l.add(model.Metric{Name: "gc_capacity_share", Title: "collector, of GOMAXPROCS", Value: of, Unit: "share"}, gcTotal)
		}
		if share, ok := l.shareOf(func(grew growth) float64 { return grew(gcAssist) }, usedCPU, append(keys, gcAssist)...); ok {
			l.add(model.Metric{Name: "gc_assist_share", Title: "assist, of the CPU time used", Value: share, Unit: "share"}, gcAssist)
		}
	} else if f, _, ok := l.level(gcFraction); ok && f <= 1 {
		l.add(model.Metric{Name: "gc_capacity_share", Title: "collector, of GOMAXPROCS", Value: f, Unit: "share", Note: "since the start"}, gcFraction)
	}
	l.rate(cycles, "gc_cycles", "cycles of the collector", "cycles/s")
	if by, _, ok := l.grew(forced); ok {
		l.add(model.Metric{Name: "gc_forced", Title: "of these, asked for", Value: by, Unit: "cycles"}, forced)
	}
}

func (l *look) pauses() {
	defer l.stoppedShare()
	if h, ok := l.during(gcPauses); ok {
		l.quantiles(h, gcPauses, "gc_pause", "pauses")
		return
	}
	if p, note := l.ring(); len(p) > 0 {
		slices.Sort(p)
		for _, q := range []struct {
			name, title string
			at          float64
		}{{"gc_pause_p50", "pauses, median", 0.5}, {"gc_pause_p99", "pauses, 99th percentile", 0.99}, {"gc_pause_longest", "pauses, longest", 1}} {
			v := p[max(0, int(math.Ceil(q.at*float64(len(p))))-1)]
			l.add(model.Metric{Name: q.name, Title: q.title, Value: v, Unit: "s", Note: note}, pauseSum)
		}
		return
	}
	if v, _, ok := l.level(pauseLast); ok {
		l.add(model.Metric{Name: "gc_pause_longest", Title: "pauses, longest", Value: v, Unit: "s", Note: "last 256 cycles"}, pauseLast)
	}
}

// ring returns the pauses of the cycles between the first reading and the
// last, as far as the last one still has them.
func (l *look) ring() (pauses []float64, note string) {
	for _, s := range l.all {
		a, b := s.readings[0].Values[cycles], s.last().Values[cycles]
		p := s.last().Pauses
		if p == nil || !(b > a) || b > 1<<52 {
			continue
		}
		n := uint64(b - a)
		if n > 256 {
			n, note = 256, "last 256 cycles"
		}
		for c := uint64(b) - n + 1; c <= uint64(b); c++ {
			pauses = append(pauses, p[(c+255)%256])
		}
		return pauses, note
	}
	return nil, ""
}

func (l *look) stoppedShare() {
	key := pauseSum
	if by, seconds, ok := l.grew(key); ok {
		l.add(model.Metric{Name: "gc_stopped_share", Title: "stopped, of the time", Value: min(1, by/seconds), Unit: "share"}, key)
	}
}

// quantiles adds those of a histogram, each with the bounds of its bucket.
func (l *look) quantiles(h Histogram, key, name, title string) {
	for _, q := range []struct {
		name, title string
		at          float64
	}{{"_p50", ", median", 0.5}, {"_p99", ", 99th percentile", 0.99}, {"_longest", ", longest", 1}} {
		lo, hi, ok := h.quantile(q.at)
		if !ok {
			return
		}
		m := model.Metric{Name: name + q.name, Title: title + q.title, Value: hi, Unit: "s", Lo: &lo}
		if math.IsInf(hi, 1) {
			m.Value = lo
		} else {
			m.Hi = &hi
		}
		if q.at != 1 && h.total() < fewest {
			m.Note = fmt.Sprintf("of %.0f only", h.total())
		}
		l.add(m, key)
	}
}

// fewest is how many a quantile needs to be more than a hint.
const fewest = 100

func (l *look) heap() {
	l.put(heapLive, "heap_live", "heap alive after the last cycle", "bytes")
	l.put(heapObjects, "heap_objects", "heap with its garbage", "bytes")
	l.put(heapGoal, "heap_goal", "heap at which a cycle ends", "bytes")
	if v, _, ok := l.level(gogc); ok {
		l.add(model.Metric{Name: "gogc", Title: "GOGC", Value: v, Unit: "%"}, gogc)
	}
	if v, _, ok := l.level(memoryLimit); ok {
		l.add(model.Metric{Name: "memory_limit", Title: "GOMEMLIMIT", Value: v, Unit: "bytes"}, memoryLimit)
	}
}

func (l *look) memory() {
	if total, _, ok := l.level(memoryTotal); ok {
		if released, _, ok := l.level(heapReleased); ok {
			l.add(model.Metric{Name: "memory_held", Title: "held by the runtime", Value: max(0, total-released), Unit: "bytes"}, memoryTotal)
		}
	}
	l.put(heapFree, "heap_idle", "of it, idle and not given back", "bytes")
	l.put(heapReleased, "heap_released", "given back to the system", "bytes")
	l.put(residentSet, "rss", "resident (RSS)", "bytes")
}

func (l *look) allocation() {
	l.rate(allocBytes, "alloc_bytes", "allocated", "bytes/s")
	l.rate(allocObjects, "alloc_objects", "objects allocated", "objects/s")
}

func (l *look) scheduler() {
	if h, ok := l.during(latencies); ok {
		l.quantiles(h, latencies, "sched_latency", "wait to run")
	}
	l.rate(mutexWait, "mutex_wait", "waiting for mutexes", "s/s")
	l.put(goroutines, "goroutines", "goroutines", "goroutines")
	l.put(threads, "threads", "threads", "threads")
	l.rate(cgoCalls, "cgo_calls", "calls of C", "calls/s")
}

func (l *look) machine() {
	l.put(procs, "gomaxprocs", "GOMAXPROCS", "threads")
	if by, seconds, ok := l.grew(processCPU); ok {
		l.add(model.Metric{Name: "cpu_used", Title: "CPU time used", Value: by / seconds, Unit: "cpus"}, processCPU)
	}
	if v, _, ok := l.level(quotaCPUs); ok {
		l.add(model.Metric{Name: "cpu_quota", Title: "CPU quota", Value: v, Unit: "cpus"}, quotaCPUs)
		if share, ok := l.shareOf(func(g growth) float64 { return g(stopped) }, func(g growth) float64 { return g(periods) }, stopped, periods); ok && v > 0 {
			l.add(model.Metric{Name: "throttled_share", Title: "throttled periods of it", Value: share, Unit: "share"}, periods)
		}
	}
}
