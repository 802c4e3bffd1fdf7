package comparison

import (
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// A loadRow is one line of a comparison under load.
type loadRow struct {
	name, before, after, change, interval, answer string
}

// loadRows are the metrics with their verdicts, and the requests and errors of
// all load runs.
func loadRows(l *model.Load) []loadRow {
	var rows []loadRow
	for _, m := range l.Metrics {
		r := loadRow{name: m.Name, before: figure.Guard(m.Unit, m.Before), after: figure.Guard(m.Unit, m.After), answer: string(m.Verdict.Answer)}
		if m.Verdict.Units > 0 && !words.Unbounded(m.Verdict.Change) {
			r.change, r.interval = figure.Change(m.Verdict.Change), figure.Bounds(m.Verdict)
		}
		rows = append(rows, r)
	}
	var errors [2]float64
	for _, p := range l.Runs {
		errors[0] += p.Base.Errors
		errors[1] += p.Candidate.Errors
	}
	rows = append(rows, loadRow{name: "requests", before: words.Count(l.Requests[0]), after: words.Count(l.Requests[1])})
	if len(l.Runs) > 0 {
		rows = append(rows, loadRow{name: "errors", before: words.Count(errors[0]), after: words.Count(errors[1])})
	}
	return rows
}

// loadLevel is the heading of the intervals.
func loadLevel(l *model.Load) string {
	if len(l.Metrics) == 0 {
		return ""
	}
	return figure.Level(&l.Metrics[0].Verdict)
}

// loadUnits says what the verdicts rest on.
func loadUnits(l *model.Load) string {
	t := words.Plural(l.Units, "pair") + " of load runs"
	if l.Command != "" {
		t += " by " + l.Command
	}
	return t
}

func load(s *sheet.Sheet, c *model.Comparison) {
	l := c.Load
	if l == nil {
		return
	}
	s.Blank()
	m := markOf(l.Standing)
	s.Mark(m.Style, s.Text(m.Text)+" ", sheet.Bold, "under load: "+string(l.Standing))
	if l.Why != "" {
		s.Para(sheet.Normal, "  ", l.Why)
	}
	head := []sheet.Cell{sheet.Left(""), sheet.Right("before"), sheet.Left(""), sheet.Right("after"), sheet.Right("change"), sheet.Left(loadLevel(l)), sheet.Left("")}
	for i := range head {
		head[i].Style = sheet.Dim
	}
	table := [][]sheet.Cell{head}
	for _, r := range loadRows(l) {
		table = append(table, []sheet.Cell{sheet.Left(r.name), sheet.Right(r.before), sheet.Left("→"), sheet.Right(r.after).In(sheet.Bold), sheet.Right(r.change),
			sheet.Left(r.interval).In(sheet.Dim), sheet.Left(r.answer)})
	}
	const indent = "  "
	if len(indent)+s.Spread(table) <= s.Width() {
		s.Table(indent, table)
	} else {
		for _, r := range loadRows(l) {
			s.Para(sheet.Normal, indent, r.line())
		}
	}
	s.Para(sheet.Dim, indent, loadUnits(l))
}

// line is a row where a table has no room.
func (r loadRow) line() string {
	t := r.name + " " + r.before + " → " + r.after
	for _, part := range []string{r.change + " " + r.interval, r.answer} {
		if part != "" && part != " " {
			t += ", " + part
		}
	}
	return t
}
