package report

import (
	"fmt"
	"strconv"

	"github.com/pawl-dev/pawl/internal/model"
)

func (s *sheet) traceGC(t *model.Trace) {
	s.heading("Garbage collector")
	for _, text := range gcTexts(&t.GC) {
		s.para(normal, "  ", text)
	}
}

// gcTexts says in sentences what the collector did.
func gcTexts(gc *model.TraceGC) []string {
	var out []string
	if gc.Cycles == 0 {
		out = append(out, "It did not run.")
	} else {
		out = append(out, fmt.Sprintf("%s, marking %s of the time; %s of the processors (%s in workers, %s more on idle processors).",
			number(gc.Cycles, "cycle"), share(gc.MarkShare), share(gc.CPUShare), duration(gc.WorkerNs), duration(gc.IdleNs)))
		assists := "No goroutine had to assist"
		if gc.Assists > 0 {
			assists = fmt.Sprintf("Goroutines assisted %s for %s", times(int(gc.Assists)), duration(gc.AssistNs))
		}
		out = append(out, assists+"; sweeping before they got memory took them "+duration(gc.SweepNs)+".")
	}
	if stops := stopsText(gc); stops != "" {
		out = append(out, stops)
	}
	return out
}

func stopsText(gc *model.TraceGC) string {
	stops := 0
	for _, st := range gc.Stops {
		stops += int(st.Count)
	}
	if stops == 0 {
		return ""
	}
	text := fmt.Sprintf("The world stopped %s for %s in all, at most %s", times(stops), duration(gc.StoppedNs), duration(gc.LongestStopNs))
	for i, st := range gc.Stops {
		if i == 3 {
			break
		}
		text += map[bool]string{true: ": ", false: ", "}[i == 0] + fmt.Sprintf("%s %s", st.Reason, duration(st.TotalNs))
	}
	return text + "."
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return thousands(int64(n)) + " times"
}

func (s *sheet) traceProcs(t *model.Trace) {
	p := &t.Processors
	s.heading("Processors")
	s.para(normal, "  ", processorsText(p))
	rows := [][]cell{}
	for i, e := range p.Each {
		if i == tracedProcs {
			break
		}
		rows = append(rows, []cell{left("P" + strconv.FormatInt(e.ID, 10)), right(share(e.BusyShare)), left(s.bar(e.BusyShare, s.barWidth())).in(green)})
	}
	s.table("  ", rows)
	if more := len(p.Each) - len(rows); more > 0 {
		s.para(dim, "  ", fmt.Sprintf("%s more with -json.", number(more, "processor")))
	}
}

func processorsText(p *model.TraceProcs) string {
	text := fmt.Sprintf("%s busy with goroutines. ", share(p.BusyShare))
	if p.QueueMax > 0 {
		text += fmt.Sprintf("%s of the time all were while goroutines were ready to run; on average %s ready, at most %s.",
			share(p.SaturatedShare), three(p.QueueMean), thousands(int64(p.QueueMax)))
	}
	return text
}
