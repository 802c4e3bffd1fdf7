package report

import (
	"github.com/pawl-dev/pawl/internal/model"
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
		r := loadRow{name: m.Name, before: guardFigure(m.Unit, m.Before), after: guardFigure(m.Unit, m.After), answer: string(m.Verdict.Answer)}
		if m.Verdict.Units > 0 && !open(m.Verdict.Change) {
			r.change, r.interval = change(m.Verdict.Change), bounds(m.Verdict)
		}
		rows = append(rows, r)
	}
	var errors [2]float64
	for _, p := range l.Runs {
		errors[0] += p.Base.Errors
		errors[1] += p.Candidate.Errors
	}
	rows = append(rows, loadRow{name: "requests", before: count(l.Requests[0]), after: count(l.Requests[1])})
	if len(l.Runs) > 0 {
		rows = append(rows, loadRow{name: "errors", before: count(errors[0]), after: count(errors[1])})
	}
	return rows
}

// loadLevel is the heading of the intervals.
func loadLevel(l *model.Load) string {
	if len(l.Metrics) == 0 {
		return ""
	}
	return level(&l.Metrics[0].Verdict)
}

// loadUnits says what the verdicts rest on.
func loadUnits(l *model.Load) string {
	t := number(l.Units, "pair") + " of load runs"
	if l.Command != "" {
		t += " by " + l.Command
	}
	return t
}

// load writes the block of two programs under load.
func (s *sheet) load(c *model.Comparison) {
	l := c.Load
	if l == nil {
		return
	}
	s.blank()
	m := markOf(l.Standing)
	s.mark(m.style, s.text(m.text)+" ", bold, "under load: "+string(l.Standing))
	if l.Why != "" {
		s.para(normal, "  ", l.Why)
	}
	head := []cell{left(""), right("before"), left(""), right("after"), right("change"), left(loadLevel(l)), left("")}
	for i := range head {
		head[i].style = dim
	}
	table := [][]cell{head}
	for _, r := range loadRows(l) {
		table = append(table, []cell{left(r.name), right(r.before), left("→"), right(r.after).in(bold), right(r.change),
			left(r.interval).in(dim), left(r.answer)})
	}
	const indent = "  "
	if len(indent)+s.spread(table) <= s.o.width() {
		s.table(indent, table)
	} else {
		for _, r := range loadRows(l) {
			s.para(normal, indent, r.line())
		}
	}
	s.para(dim, indent, loadUnits(l))
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
