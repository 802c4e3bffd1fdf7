package journal

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/comparison"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/runs"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// Text writes a list of runs and comparisons, one line each, the newest first.
func Text(w io.Writer, runs []model.Run, comparisons []model.Comparison, o sheet.Options) error {
	s := sheet.New(o)
	if len(runs)+len(comparisons) == 0 {
		s.Para(sheet.Normal, "", "No runs yet; pawl optimize makes one.")
		return s.Flush(w)
	}
	var table [][]sheet.Cell
	row := func(id string, started time.Time, what, best string) {
		table = append(table, []sheet.Cell{sheet.Left(id).In(sheet.Bold), sheet.Left(started.Format(figure.Stamp)).In(sheet.Dim), sheet.Left(what), sheet.Left(best)})
	}
	for i := range runs {
		r := &runs[i]
		row(r.ID, r.Started, tally(r), best(r))
	}
	for i := range comparisons {
		c := &comparisons[i]
		head, _ := comparison.Answer(c)
		row(c.ID, c.Started, head, c.Base.Name+" against "+c.Candidate.Name)
	}
	// Each list is in order, and an ID begins with the time.
	sorted.By(table, func(a, b []sheet.Cell) int { return strings.Compare(b[0].Text, a[0].Text) })
	if s.Width() < wideLog {
		for i := range table {
			table[i] = append(table[i][:1], table[i][2:]...)
		}
	}
	s.Table("", table)
	s.Blank()
	s.Para(sheet.Dim, "", "pawl log ID tells the story of one.")
	return s.Flush(w)
}

// wideLog is the width from which on the list has a column for the time.
const wideLog = 100

func tally(r *model.Run) string {
	t := "nothing tried"
	if r.Verb == "record" {
		t = "measured"
	}
	if n := len(r.Last()); n > 0 {
		t = strconv.Itoa(r.Kept()) + " of " + strconv.Itoa(n) + " kept" + runs.Besides(r)
	}
	switch {
	case r.Stopped != "":
		why, _, _ := strings.Cut(r.Stopped, " of ") // the run itself says how large a budget, and at what it ended
		t += ", " + why
	case r.Unended():
		t += " so far"
	}
	return t
}

// best is the first result in a few words; a run puts first what it was
// started for.
func best(r *model.Run) string {
	if len(r.Results) == 0 {
		return r.Module
	}
	res := r.Results[0]
	t := res.Benchmark.String()
	if v := res.Verdict; v != nil {
		t += " " + figure.MetricShort(v.Metric) + " " + figure.Change(v.Change)
	}
	if c := model.CountOf(res.Counts, "allocs/op"); c != nil && !c.Noisy && !c.Equal() {
		t += ", allocs " + words.Count(c.Before) + " → " + words.Count(c.After)
	}
	if n := len(r.Results) - 1; n > 0 {
		t += " and " + strconv.Itoa(n) + " more"
	}
	return t
}
