package metrics

import (
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
)

// What must hold besides a threshold.
const (
	leastCores  = 0.05     // cores that the collector uses
	leastBytes  = 64 << 20 // that memory must be to matter
	leastGrowth = 100      // goroutines
	usualQuota  = 2        // what GOMAXPROCS does not go below by itself
)

// A finding is what was seen of a sign: what is compared with its threshold,
// in words, and whether all holds that must hold besides.
type finding struct {
	value   float64
	seen    string
	besides bool
}

func (l *look) signs() {
	looks := map[string]func() (finding, bool){
		"memorylimit": l.atLimit, "outside": l.outside, "idleheap": l.idleHeap, "heapgrowth": l.heapGrowth, "goroutinegrowth": l.growth,
		"gomaxprocs": l.tooManyProcs, "throttled": l.throttled, "collector": l.collects, "assist": l.assists, "forced": l.forcedCycles, "pauses": l.stops,
		"schedlatency": l.schedLatency, "mutexwait": l.mutexes, "threads": l.manyThreads, "cgo": l.callsC,
	}
	for _, s := range sign.In(sign.Metrics) {
		f, known := looks[s.Name]()
		if !known || !f.besides || !(f.value >= s.Threshold) {
			continue
		}
		l.out.Signs = append(l.out.Signs, model.MetricSign{
			Name: s.Name, Title: s.Title, Seen: f.seen, Metric: s.Metric, Value: f.value, Threshold: s.Threshold, Unit: s.Unit,
			Meaning: s.Meaning, Lever: s.Lever, Before: s.Before, Gap: s.Gap, Rules: sign.Rules(s.Rules),
		})
	}
}

func (l *look) value(name string) float64 {
	if m, ok := l.figure(name); ok {
		return m.Value
	}
	return -1
}

func percent(x float64) string {
	if x >= 0.1 {
		return fmt.Sprintf("%.0f %%", 100*x)
	}
	return fmt.Sprintf("%.1f %%", 100*x)
}

func mebibytes(x float64) string {
	if x >= 10<<30 {
		return fmt.Sprintf("%.0f GiB", x/(1<<30))
	}
	return fmt.Sprintf("%.0f MiB", x/(1<<20))
}

// atLimit tells a heap that fills its limit from a spiral, in which the
// collector runs all the time and frees little.
func (l *look) atLimit() (finding, bool) {
	held, limit := l.value("memory_held"), l.value("memory_limit")
	if held < 0 || limit <= 0 {
		return finding{}, false
	}
	f := finding{held / limit, fmt.Sprintf("the runtime holds %s of the %s of GOMEMLIMIT", mebibytes(held), mebibytes(limit)), true}
	if gc := l.value("gc_cpu_share"); gc >= 0.1 {
		f.seen += fmt.Sprintf(", and the collector takes %s of the CPU time used: a spiral that ends in a standstill", percent(gc))
	} else if gc >= 0 {
		f.seen += fmt.Sprintf("; the collector takes %s of the CPU time used", percent(gc))
	}
	if last, _, ok := l.level(limiter); ok && last > 0 {
		if n, first, ok := l.level(cycles); ok && last >= first {
			f.seen += fmt.Sprintf("; the runtime has held it back, last in cycle %.0f of %.0f", last, n)
		}
	}
	return f, true
}

func (l *look) outside() (finding, bool) {
	rss, held := l.value("rss"), l.value("memory_held")
	if rss <= 0 || held < 0 {
		return finding{}, false
	}
	return finding{max(0, rss-held) / rss, fmt.Sprintf("%s are resident, and the runtime holds %s", mebibytes(rss), mebibytes(held)), rss-held >= leastBytes}, true
}

func (l *look) idleHeap() (finding, bool) {
	idle, held := l.value("heap_idle"), l.value("memory_held")
	if idle < 0 || held <= 0 {
		return finding{}, false
	}
	return finding{idle / held, fmt.Sprintf("%s of the %s that the runtime holds are idle", mebibytes(idle), mebibytes(held)), idle >= leastBytes}, true
}

func (l *look) heapGrowth() (finding, bool) {
	last, first, ok := l.level(heapGoal)
	if !ok || first <= 0 {
		return finding{}, false
	}
	return finding{last / first, fmt.Sprintf("%s, then %s", mebibytes(first), mebibytes(last)), last-first >= leastBytes && l.growing(heapGoal)}, true
}

func (l *look) growth() (finding, bool) {
	last, first, ok := l.level(goroutines)
	if !ok || first <= 0 {
		return finding{}, false
	}
	return finding{last / first, fmt.Sprintf("%.0f, then %.0f, and more at each reading", first, last), last-first >= leastGrowth && l.rising(goroutines)}, true
}

// aboveQuota reports whether GOMAXPROCS is larger than what the runtime would
// choose for the quota.
func (l *look) aboveQuota() bool {
	n, quota := l.value("gomaxprocs"), l.value("cpu_quota")
	return quota > 0 && n > max(usualQuota, math.Ceil(quota))
}

func (l *look) tooManyProcs() (finding, bool) {
	share := l.value("throttled_share")
	return finding{share, fmt.Sprintf("GOMAXPROCS is %.0f and the quota %.3g CPUs, used up in %s of the periods", l.value("gomaxprocs"), l.value("cpu_quota"), percent(share)), l.aboveQuota()}, share >= 0
}

func (l *look) throttled() (finding, bool) {
	share := l.value("throttled_share")
	return finding{share, fmt.Sprintf("the quota of %.3g CPUs was used up in %s of its periods", l.value("cpu_quota"), percent(share)), !l.aboveQuota()}, share >= 0
}

func (l *look) collects() (finding, bool) {
	share := l.value("gc_cpu_share")
	if share < 0 {
		of := l.value("gc_capacity_share")
		return finding{of, percent(of) + " of GOMAXPROCS since the start", true}, of >= 0
	}
	cores := share * l.coresUsed()
	n, _, _ := l.grew(cycles)
	return finding{share, fmt.Sprintf("%s of the CPU time used, about %.2g cores, in %.0f cycles", percent(share), cores, n), cores >= leastCores}, true
}

// coresUsed is how many the program used: by the system's account where it is
// known, for the runtime's counts the time in which a processor was its own and
// not at rest, whether or not the system let it run.
func (l *look) coresUsed() float64 {
	if v := l.value("cpu_used"); v >= 0 {
		return v
	}
	busy, seconds, _ := l.grew(cpuTotal)
	idle, _, _ := l.grew(cpuIdle)
	return max(0, busy-idle) / max(seconds, 1e-9)
}

func (l *look) assists() (finding, bool) {
	share := l.value("gc_assist_share")
	return finding{share, percent(share) + " of the CPU time used", true}, share >= 0
}

func (l *look) forcedCycles() (finding, bool) {
	by, seconds, ok := l.grew(forced)
	if !ok {
		return finding{}, false
	}
	return finding{by / seconds, fmt.Sprintf("%.0f in %.0f s", by, seconds), by >= 2}, true
}

func (l *look) stops() (finding, bool) {
	share := l.value("gc_stopped_share")
	return finding{share, fmt.Sprintf("%s of the time, %.3g ms in each cycle", percent(share), l.meanPause()), true}, share >= 0
}

// meanPause is for how long the world stood still for a cycle, in ms.
func (l *look) meanPause() float64 {
	by, _, _ := l.grew(pauseSum)
	n, _, _ := l.grew(cycles)
	return 1e3 * by / max(n, 1)
}

func (l *look) schedLatency() (finding, bool) {
	m, ok := l.figure("sched_latency_p99")
	if !ok || m.Lo == nil {
		return finding{}, false
	}
	return finding{*m.Lo, fmt.Sprintf("one of a hundred waits %.2g ms or longer", 1e3**m.Lo), m.Note == ""}, true
}

func (l *look) mutexes() (finding, bool) {
	v := l.value("mutex_wait")
	return finding{v, fmt.Sprintf("%.2g s in each second, all goroutines together", v), true}, v >= 0
}

func (l *look) manyThreads() (finding, bool) {
	n := l.value("threads")
	return finding{n, fmt.Sprintf("%.0f threads", n), n >= 4*l.value("gomaxprocs")}, n >= 0
}

func (l *look) callsC() (finding, bool) {
	v := l.value("cgo_calls")
	return finding{v, fmt.Sprintf("%.2g million in each second", v/1e6), true}, v >= 0
}

// unknown says what could not be looked at, for want of figures.
func (l *look) unknown() []model.MetricGap {
	var out []model.MetricGap
	var missing, here []string
	if l.value("gc_cpu_share") < 0 {
		const what = "the collector's share of the CPU time used, and assist"
		if l.from(cpuTotal) == "" {
			missing = append(missing, what)
		} else {
			out = append(out, model.MetricGap{What: what, Why: "no cycle of the collector ended meanwhile, when the runtime's account of CPU time moves", Try: "a longer time (-seconds), under load"})
		}
	}
	for _, g := range []struct{ what, key string }{{"scheduler latency", latencies}, {"waiting for mutexes", mutexWait}} {
		if l.from(g.key) == "" {
			missing = append(missing, g.what)
		}
	}
	for _, g := range []struct{ what, key string }{{"resident memory", residentSet}, {"goroutines", goroutines}, {"GOMAXPROCS", procs}} {
		if l.from(g.key) == "" {
			here = append(here, g.what)
		}
	}
	if len(missing) > 0 {
		out = append(out, model.MetricGap{What: strings.Join(missing, "; "), Why: "not on the pages that were read", Try: "collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsAll), with client_golang"})
	}
	if len(here) > 0 {
		out = append(out, model.MetricGap{What: strings.Join(here, "; "), Why: "not on the pages that were read", Try: "/metrics of client_golang has them"})
	}
	return out
}
