package observed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/diagnosis/symptoms"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// ranBenchmarks is how many benchmarks the text names.
const ranBenchmarks = 12

// Add writes what was seen of a run: how it went, what the system and the
// collector counted, and what of that stands out.
func Add(s *sheet.Sheet, o model.Observed) {
	s.Para(sheet.Bold, "", Headline(o))
	s.Para(sheet.Dim, "", facts(o))
	ran(s, o.Benchmarks)
	if o.Process != nil || o.GC != nil {
		s.Blank()
		processRows(s, o)
	}
	if len(o.Empty) > 0 {
		s.Para(sheet.Dim, "", emptyText(o))
	}
	sy := model.Symptoms{Signs: o.Signs, Below: o.Below}
	symptoms.Bars(s, sy)
	for i, sign := range sy.Signs {
		symptoms.AddSign(s, i+1, sign)
	}
	if o.Hint != "" {
		s.Blank()
		s.Para(sheet.Normal, "", "More: "+o.Hint)
	}
	s.Warnings(o.Warnings)
}

func emptyText(o model.Observed) string {
	return "Taken, and without a sample: " + strings.Join(o.Empty, ", ") + "."
}

// Headline is the answer in a line.
func Headline(o model.Observed) string {
	switch {
	case o.Form == "benchmarks":
		return fmt.Sprintf("%s of %s, profiled for %s.", words.Plural(len(o.Benchmarks), "benchmark"), o.Target, words.Seconds(o.Seconds))
	case o.Form == "program":
		return fmt.Sprintf("%s: %s.", o.Target, o.Ended)
	case len(o.Signs) == 0:
		return fmt.Sprintf("%s: nothing stands out from outside; %s.", o.Target, o.Ended)
	}
	first := o.Signs[0]
	return fmt.Sprintf("%s: %s, %s of the %s; %s.", o.Target, first.Title, figure.Share(first.Share), first.What, o.Ended)
}

func facts(o model.Observed) string {
	how := map[string]string{"benchmarks": "benchmarks under profilers", "program": "built with profilers in it", "command": "seen from outside"}[o.Form]
	facts := []string{how, words.Seconds(o.CPUNs/1e9) + " of CPU time"}
	if o.Seconds > 0 {
		facts = append(facts, fmt.Sprintf("%.1f cores busy", o.CPUNs/1e9/o.Seconds))
	}
	return strings.Join(facts, " · ")
}

// ran lists the benchmarks.
func ran(s *sheet.Sheet, list []model.RanBenchmark) {
	if len(list) == 0 {
		return
	}
	s.Blank()
	rows := [][]sheet.Cell{sheet.Dimmed(sheet.Right("last round"), sheet.Right("iterations"), sheet.Left("benchmark"))}
	for i, b := range list {
		if i == ranBenchmarks {
			rows = append(rows, []sheet.Cell{sheet.Right(""), sheet.Right(""), sheet.Left("and " + words.Plural(len(list)-i, "other")).In(sheet.Dim)})
			break
		}
		rows = append(rows, []sheet.Cell{sheet.Right(words.Nanoseconds(1e9 * b.Seconds)), sheet.Right(words.Grouped(b.N)), sheet.Left(ranName(list, b))})
	}
	s.Table("  ", rows)
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
func processRows(s *sheet.Sheet, o model.Observed) {
	for _, f := range processFacts(o) {
		s.Mark(sheet.Dim, fmt.Sprintf("  %-10s ", f.Label), sheet.Normal, f.Text)
	}
}

// processFacts says what the system counted, and then what the collector did.
func processFacts(o model.Observed) []figure.Fact {
	var out []figure.Fact
	row := func(label, text string) { out = append(out, figure.Fact{Label: label, Text: text}) }
	if p := o.Process; p != nil {
		t := fmt.Sprintf("%s resident at most, %s at the end", words.Bytes(p.PeakRSS), words.Bytes(p.LastRSS))
		if p.Processes > 1 {
			t += fmt.Sprintf("; %d processes at most, together", p.Processes)
		}
		row("memory", t)
		row("threads", fmt.Sprintf("%d at most; %s context switches by themselves, %s for want of a core", p.Threads, words.Grouped(p.Voluntary), words.Grouped(p.Involuntary)))
		if p.RunNs > 0 {
			row("cores", fmt.Sprintf("threads ran %s and were ready without a core for %s", words.Nanoseconds(p.RunNs), words.Nanoseconds(p.WaitNs)))
		}
		if p.Periods > 0 || p.Cores > 0 {
			row("limit", fmt.Sprintf("%.1f cores; stopped in %s of %s periods, for %s", p.Cores, words.Grouped(p.Throttled), words.Grouped(p.Periods), words.Nanoseconds(p.ThrottledNs)))
		}
	}
	if o.GC != nil {
		out = append(out, collectorFacts(o.GC, o.Seconds)...)
	}
	return out
}

func collectorFacts(g *model.GCLines, ran float64) []figure.Fact {
	if g.Cycles == 0 {
		return []figure.Fact{{Label: "collector", Text: "no cycle"}}
	}
	t := fmt.Sprintf("%s, %.1f a second", words.Counted(g.Cycles, "cycle"), float64(g.Cycles)/max(ran, 1e-3))
	if g.Forced > 0 {
		t += fmt.Sprintf(", %s of them asked for", words.Grouped(g.Forced))
	}
	if g.Programs > 1 {
		t += fmt.Sprintf(", of %d programs", g.Programs)
	}
	return []figure.Fact{
		{Label: "collector", Text: fmt.Sprintf("%s; %s by its own count, %s of it by goroutines that allocate", t, words.Nanoseconds(g.CPUNs), words.Nanoseconds(g.AssistNs))},
		{Label: "heap", Text: fmt.Sprintf("%s live at most, %s after the last cycle; goal %s at most", words.Bytes(g.LiveBytes), words.Bytes(g.LastLiveBytes), words.Bytes(g.GoalBytes))},
		{Label: "stops", Text: fmt.Sprintf("%s of wall time in all, the longest %s", words.Nanoseconds(g.StopNs), words.Nanoseconds(g.LongestStopNs))},
	}
}
