package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// ranBenchmarks is how many benchmarks the text names.
const ranBenchmarks = 12

// observed writes what was seen of a run: how it went, what the system and the
// collector counted, and what of that stands out.
func (s *sheet) observed(o model.Observed) {
	s.para(bold, "", observedHeadline(o))
	s.para(dim, "", observedFacts(o))
	s.ran(o.Benchmarks)
	if o.Process != nil || o.GC != nil {
		s.blank()
		s.processRows(o)
	}
	if len(o.Empty) > 0 {
		s.para(dim, "", emptyText(o))
	}
	sy := model.Symptoms{Signs: o.Signs, Below: o.Below}
	s.bars(sy)
	for i, sign := range sy.Signs {
		s.sign(i+1, sign)
	}
	if o.Hint != "" {
		s.blank()
		s.para(normal, "", "More: "+o.Hint)
	}
	s.warnings(o.Warnings)
}

func emptyText(o model.Observed) string {
	return "Taken, and without a sample: " + strings.Join(o.Empty, ", ") + "."
}

// observedHeadline is the answer in a line.
func observedHeadline(o model.Observed) string {
	switch {
	case o.Form == "benchmarks":
		return fmt.Sprintf("%s of %s, profiled for %s.", number(len(o.Benchmarks), "benchmark"), o.Target, seconds(o.Seconds))
	case o.Form == "program":
		return fmt.Sprintf("%s: %s.", o.Target, o.Ended)
	case len(o.Signs) == 0:
		return fmt.Sprintf("%s: nothing stands out from outside; %s.", o.Target, o.Ended)
	}
	first := o.Signs[0]
	return fmt.Sprintf("%s: %s, %s of the %s; %s.", o.Target, first.Title, share(first.Share), first.What, o.Ended)
}

func observedFacts(o model.Observed) string {
	how := map[string]string{"benchmarks": "benchmarks under profilers", "program": "built with profilers in it", "command": "seen from outside"}[o.Form]
	facts := []string{how, seconds(o.CPUNs/1e9) + " of CPU time"}
	if o.Seconds > 0 {
		facts = append(facts, fmt.Sprintf("%.1f cores busy", o.CPUNs/1e9/o.Seconds))
	}
	return strings.Join(facts, " · ")
}

// ran lists the benchmarks.
func (s *sheet) ran(list []model.RanBenchmark) {
	if len(list) == 0 {
		return
	}
	s.blank()
	rows := [][]cell{dimmed(right("last round"), right("iterations"), left("benchmark"))}
	for i, b := range list {
		if i == ranBenchmarks {
			rows = append(rows, []cell{right(""), right(""), left("and " + number(len(list)-i, "other")).in(dim)})
			break
		}
		rows = append(rows, []cell{right(nanoseconds(1e9 * b.Seconds)), right(thousands(b.N)), left(ranName(list, b))})
	}
	s.table("  ", rows)
}

// ranName names a benchmark of a list, with its package where there are several.
func ranName(list []model.RanBenchmark, b model.RanBenchmark) string {
	name := strings.TrimPrefix(b.Name, "Benchmark")
	if slices.ContainsFunc(list, func(x model.RanBenchmark) bool { return x.Pkg != b.Pkg }) {
		name = b.Pkg + " " + name
	}
	return name
}

// processRows says what the system and the collector counted.
func (s *sheet) processRows(o model.Observed) {
	for _, f := range processFacts(o) {
		s.mark(dim, fmt.Sprintf("  %-10s ", f.Label), normal, f.Text)
	}
}

// processFacts says what the system counted, and then what the collector did.
func processFacts(o model.Observed) []fact {
	var out []fact
	row := func(label, text string) { out = append(out, fact{label, text}) }
	if p := o.Process; p != nil {
		t := fmt.Sprintf("%s resident at most, %s at the end", size(p.PeakRSS), size(p.LastRSS))
		if p.Processes > 1 {
			t += fmt.Sprintf("; %d processes at most, together", p.Processes)
		}
		row("memory", t)
		row("threads", fmt.Sprintf("%d at most; %s context switches by themselves, %s for want of a core", p.Threads, grouped(p.Voluntary), grouped(p.Involuntary)))
		if p.RunNs > 0 {
			row("cores", fmt.Sprintf("threads ran %s and were ready without a core for %s", nanoseconds(p.RunNs), nanoseconds(p.WaitNs)))
		}
		if p.Periods > 0 || p.Cores > 0 {
			row("limit", fmt.Sprintf("%.1f cores; stopped in %s of %s periods, for %s", p.Cores, grouped(p.Throttled), grouped(p.Periods), nanoseconds(p.ThrottledNs)))
		}
	}
	if o.GC != nil {
		out = append(out, collectorFacts(o.GC, o.Seconds)...)
	}
	return out
}

func collectorFacts(g *model.GCLines, ran float64) []fact {
	if g.Cycles == 0 {
		return []fact{{"collector", "no cycle"}}
	}
	t := fmt.Sprintf("%s, %.1f a second", counted(g.Cycles, "cycle"), float64(g.Cycles)/max(ran, 1e-3))
	if g.Forced > 0 {
		t += fmt.Sprintf(", %s of them asked for", thousands(g.Forced))
	}
	if g.Programs > 1 {
		t += fmt.Sprintf(", of %d programs", g.Programs)
	}
	return []fact{
		{"collector", fmt.Sprintf("%s; %s by its own count, %s of it by goroutines that allocate", t, nanoseconds(g.CPUNs), nanoseconds(g.AssistNs))},
		{"heap", fmt.Sprintf("%s live at most, %s after the last cycle; goal %s at most", size(g.LiveBytes), size(g.LastLiveBytes), size(g.GoalBytes))},
		{"stops", fmt.Sprintf("%s of wall time in all, the longest %s", nanoseconds(g.StopNs), nanoseconds(g.LongestStopNs))},
	}
}
