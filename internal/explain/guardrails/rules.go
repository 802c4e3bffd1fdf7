package guardrails

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Rule is a figure that is worth recording, or a condition that is worth a look.
type Rule struct {
	Name    string // of the recorded series, or of the alert
	Expr    string
	For     string // "" for a recording
	Summary string // what an alert means; what a recording is
	Try     string // what to do about it
	Unit    string // of a recording, as Grafana calls it
	needs   []string
}

// all are the rules in the order in which they are written. Where two have one name, the
// first whose metrics are there counts.
func all() []Rule {
	gc := []string{"go_cpu_classes_gc_total_cpu_seconds_total", "go_cpu_classes_gc_mark_idle_cpu_seconds_total", "go_cpu_classes_total_cpu_seconds_total", "go_cpu_classes_idle_cpu_seconds_total"}
	sched := []string{"go_sched_latencies_seconds_bucket"}
	mutex := []string{"go_sync_mutex_wait_total_seconds_total"}
	return []Rule{
		{
			Name: "instance:go_gc_cpu:ratio_rate5m", Unit: "percentunit", Summary: "Collector, of the CPU time used", needs: gc,
			Expr: "(rate(go_cpu_classes_gc_total_cpu_seconds_total[5m]) - rate(go_cpu_classes_gc_mark_idle_cpu_seconds_total[5m]))\n/\n(rate(go_cpu_classes_total_cpu_seconds_total[5m]) - rate(go_cpu_classes_idle_cpu_seconds_total[5m]) - rate(go_cpu_classes_gc_mark_idle_cpu_seconds_total[5m]) > 0)",
		},
		{
			Name: "instance:go_sched_latency_seconds:p99_rate5m", Unit: "s", Summary: "Wait to run, 99th percentile", needs: sched,
			Expr: "histogram_quantile(0.99, sum by (job, instance, le) (rate(go_sched_latencies_seconds_bucket[5m])))",
		},
		{
			Name: "instance:go_mutex_wait:rate5m", Unit: "short", Summary: "Goroutines that wait for a mutex, on average", needs: mutex,
			Expr: "rate(go_sync_mutex_wait_total_seconds_total[5m])",
		},
		alloc("go_gc_heap_allocs_bytes_total"), alloc("go_memstats_alloc_bytes_total"),
		goroutines("go_sched_goroutines_goroutines"), goroutines("go_goroutines"),
		live("go_gc_heap_live_bytes"), live("go_memstats_heap_inuse_bytes"),
		{
			Name: "GoCollectorBusy", For: "15m", needs: gc, Expr: "instance:go_gc_cpu:ratio_rate5m > 0.25",
			Summary: "The collector takes more than a quarter of the CPU time that is used",
			Try:     "pawl diagnose on a CPU and a heap profile: what allocates; GOGC or GOMEMLIMIT where there is memory to spare",
		},
		{
			Name: "GoSchedulerLate", For: "15m", needs: sched, Expr: "instance:go_sched_latency_seconds:p99_rate5m > 0.01",
			Summary: "One goroutine in a hundred waits longer than 10 ms for a processor",
			Try:     "more CPU, a larger quota, or GOMAXPROCS that fits the quota; an execution trace shows who runs meanwhile",
		},
		{
			Name: "GoMutexContended", For: "15m", needs: mutex, Expr: "instance:go_mutex_wait:rate5m > 10",
			Summary: "More than ten goroutines at a time wait for mutexes",
			Try:     "pawl diagnose on a mutex profile (runtime.SetMutexProfileFraction)",
		},
		leak("go_sched_goroutines_goroutines"), leak("go_goroutines"),
		limit("go_gc_heap_live_bytes"),
		{
			Name: "GoCollectorLimited", For: "5m", needs: []string{"go_gc_limiter_last_enabled_gc_cycle"},
			Expr:    "changes(go_gc_limiter_last_enabled_gc_cycle[10m]) > 0",
			Summary: "The collector reached its limit of half of the CPU time, and the memory limit is not kept",
			Try:     "a higher GOMEMLIMIT, or less live memory: a heap profile shows who holds it",
		},
		{
			Name: "ProcessRestarts", For: "0m", needs: []string{"process_start_time_seconds"},
			Expr:    "changes(process_start_time_seconds[1h]) >= 3",
			Summary: "The process was started again three times within an hour",
			Try:     "its log, and the memory limit of its container",
		},
	}
}

func alloc(metric string) Rule {
	return Rule{Name: "instance:go_alloc_bytes:rate5m", Unit: "Bps", Summary: "Allocated", needs: []string{metric}, Expr: "rate(" + metric + "[5m])"}
}

func goroutines(metric string) Rule {
	return Rule{Name: "instance:go_goroutines:avg5m", Unit: "short", Summary: "Goroutines", needs: []string{metric}, Expr: "avg_over_time(" + metric + "[5m])"}
}

func live(metric string) Rule {
	return Rule{Name: "instance:go_heap_bytes:avg5m", Unit: "bytes", Summary: "Heap", needs: []string{metric}, Expr: "avg_over_time(" + metric + "[5m])"}
}

func leak(metric string) Rule {
	return Rule{
		Name: "GoGoroutinesGrow", For: "30m", needs: []string{metric},
		Expr:    metric + " > 1000 and deriv(" + metric + "[1h]) * 3600 > 0.2 * " + metric,
		Summary: "There are more than 1000 goroutines, and a fifth more in each hour",
		Try:     "pawl diagnose -points 5 -every 1m on /debug/pprof/goroutine: who starts them, and what they wait for",
	}
}

func limit(metric string) Rule {
	return Rule{
		Name: "GoHeapNearLimit", For: "15m", needs: []string{metric, "go_gc_gomemlimit_bytes"},
		Expr:    metric + " > 0.9 * go_gc_gomemlimit_bytes",
		Summary: "Live memory is above nine tenths of GOMEMLIMIT: the collector runs without end",
		Try:     "a higher GOMEMLIMIT, or less live memory: a heap profile shows who holds it",
	}
}

// For returns the rules whose metrics a page has, and the names of those that it has none
// for.
func For(has func(metric string) bool) (rules []Rule, without []string) {
	for _, r := range all() {
		same := func(o Rule) bool { return o.Name == r.Name }
		switch {
		case slices.ContainsFunc(rules, same):
		case slices.ContainsFunc(r.needs, func(m string) bool { return !has(m) }):
			if !slices.Contains(without, r.Name) {
				without = append(without, r.Name)
			}
		default:
			rules = append(rules, r)
		}
	}
	return rules, slices.DeleteFunc(without, func(name string) bool {
		return slices.ContainsFunc(rules, func(r Rule) bool { return r.Name == name })
	})
}

// Write writes rules as a file of Prometheus.
func Write(w io.Writer, rules []Rule, without []string) error {
	var b strings.Builder
	b.WriteString("groups:\n")
	for _, kind := range []string{"recordings", "alerts"} {
		first := true
		for _, r := range rules {
			if (r.For == "") != (kind == "recordings") {
				continue
			}
			if first {
				fmt.Fprintf(&b, "  - name: go-runtime-%s\n    rules:\n", kind)
				first = false
			}
			r.write(&b)
		}
	}
	if len(rules) == 0 {
		b.Reset()
		b.WriteString("groups: []\n")
	}
	for _, name := range without {
		fmt.Fprintf(&b, "# not written, since the program does not export what it needs: %s\n", name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Rule) write(b *strings.Builder) {
	key := "record"
	if r.For != "" {
		key = "alert"
	}
	fmt.Fprintf(b, "      - %s: %s\n        expr: |-\n", key, r.Name)
	for line := range strings.Lines(r.Expr) {
		fmt.Fprintf(b, "          %s\n", strings.TrimSuffix(line, "\n"))
	}
	if r.For != "" {
		fmt.Fprintf(b, "        for: %s\n        labels:\n          severity: warning\n        annotations:\n          summary: %q\n          description: %q\n",
			r.For, r.Summary, "Try: "+r.Try)
	}
}
