package traces

import (
	"fmt"
	"strconv"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

func traceGC(s *sheet.Sheet, t *model.Trace) {
	s.Heading("Garbage collector")
	for _, text := range gcTexts(&t.GC) {
		s.Para(sheet.Normal, "  ", text)
	}
}

// gcTexts says in sentences what the collector did.
func gcTexts(gc *model.TraceGC) []string {
	var out []string
	if gc.Cycles == 0 {
		out = append(out, "It did not run.")
	} else {
		out = append(out, fmt.Sprintf("%s, marking %s of the time; %s of the processors (%s in workers, %s more on idle processors).",
			words.Plural(gc.Cycles, "cycle"), figure.Share(gc.MarkShare), figure.Share(gc.CPUShare), duration(gc.WorkerNs), duration(gc.IdleNs)))
		assists := "No goroutine had to assist"
		if gc.Assists > 0 {
			assists = fmt.Sprintf("Goroutines assisted %s for %s", words.Times(int(gc.Assists)), duration(gc.AssistNs))
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
	text := fmt.Sprintf("The world stopped %s for %s in all, at most %s", words.Times(stops), duration(gc.StoppedNs), duration(gc.LongestStopNs))
	for i, st := range gc.Stops {
		if i == 3 {
			break
		}
		text += map[bool]string{true: ": ", false: ", "}[i == 0] + fmt.Sprintf("%s %s", st.Reason, duration(st.TotalNs))
	}
	return text + "."
}

func traceProcs(s *sheet.Sheet, t *model.Trace) {
	p := &t.Processors
	s.Heading("Processors")
	s.Para(sheet.Normal, "  ", processorsText(p))
	rows := [][]sheet.Cell{}
	for i, e := range p.Each {
		if i == tracedProcs {
			break
		}
		rows = append(rows, []sheet.Cell{sheet.Left("P" + strconv.FormatInt(e.ID, 10)), sheet.Right(figure.Share(e.BusyShare)), sheet.Left(bar(s, e.BusyShare, barWidth(s))).In(sheet.Green)})
	}
	s.Table("  ", rows)
	if more := len(p.Each) - len(rows); more > 0 {
		s.Para(sheet.Dim, "  ", fmt.Sprintf("%s more with -json.", words.Plural(more, "processor")))
	}
}

func processorsText(p *model.TraceProcs) string {
	text := fmt.Sprintf("%s busy with goroutines. ", figure.Share(p.BusyShare))
	if p.QueueMax > 0 {
		text += fmt.Sprintf("%s of the time all were while goroutines were ready to run; on average %s ready, at most %s.",
			figure.Share(p.SaturatedShare), words.Three(p.QueueMean), words.Grouped(p.QueueMax))
	}
	return text
}
