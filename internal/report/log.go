package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// stamp is how a time of day is written: that of the run's own clock.
const stamp = "2006-01-02 15:04"

// Log writes a list of runs and comparisons, one line each, the newest first.
func Log(w io.Writer, runs []model.Run, comparisons []model.Comparison, o Options) error {
	s := &sheet{o: o}
	if len(runs)+len(comparisons) == 0 {
		s.para(normal, "", "No runs yet; pawl optimize makes one.")
		return s.flush(w)
	}
	var table [][]cell
	row := func(id string, started time.Time, what, best string) {
		table = append(table, []cell{left(id).in(bold), left(started.Format(stamp)).in(dim), left(what), left(best)})
	}
	for i := range runs {
		r := &runs[i]
		row(r.ID, r.Started, tally(r), best(r))
	}
	for i := range comparisons {
		c := &comparisons[i]
		head, _ := answerOf(c)
		row(c.ID, c.Started, head, c.Base.Name+" against "+c.Candidate.Name)
	}
	// Each list is in order, and an ID begins with the time.
	slices.SortStableFunc(table, func(a, b []cell) int { return strings.Compare(b[0].text, a[0].text) })
	if s.o.width() < wideLog {
		for i := range table {
			table[i] = append(table[i][:1], table[i][2:]...)
		}
	}
	s.table("", table)
	s.blank()
	s.para(dim, "", "pawl log ID tells the story of one.")
	return s.flush(w)
}

// wideLog is the width from which on the list has a column for the time.
const wideLog = 100

func tally(r *model.Run) string {
	t := "nothing tried"
	if n := len(r.Attempts); n > 0 {
		t = strconv.Itoa(r.Kept()) + " of " + strconv.Itoa(n) + " kept"
	}
	if r.Stopped != "" {
		t += ", " + r.Stopped
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
		t += " " + metricShort(v.Metric) + " " + change(v.Change)
	}
	if c := find(res.Counts, "allocs/op"); c != nil && !c.Noisy && !c.Equal() {
		t += ", allocs " + count(c.Before) + " → " + count(c.After)
	}
	if n := len(r.Results) - 1; n > 0 {
		t += " and " + strconv.Itoa(n) + " more"
	}
	return t
}

// Story writes one run in full: how it was started and on what, how it ended,
// and each attempt with its hypothesis and its checks.
func Story(w io.Writer, r *model.Run, o Options) error {
	s := &sheet{o: o}
	s.para(bold, "", r.ID)
	for _, f := range facts(r) {
		s.fact(f)
	}
	s.blank()
	s.outcome(r)
	many := severalBenchmarks(r.Attempts)
	for i, a := range r.Attempts {
		s.story(i+1, a, many)
	}
	s.rest(r)
	return s.flush(w)
}

// factWidth is the width of the column of labels.
const factWidth = 15

func (s *sheet) fact(f fact) {
	s.mark(dim, fmt.Sprintf("%-*s", factWidth, f.Label), normal, f.Text)
}

func (s *sheet) story(n int, a model.Attempt, many bool) {
	s.heading(strconv.Itoa(n) + ". " + a.Change.Title)
	for _, f := range []fact{
		{"idea", a.Change.Hypothesis},
		{"checks", checks(a.Checks)},
		{string(a.Outcome), outcome(a, many)},
		{"stock go test", solo(a.Solo)},
		{"commit", a.Commit},
	} {
		if f.Text != "" {
			s.fact(f)
		}
	}
}

// checks lists what the guard looked at, with what it had to say where
// something failed or was left out.
func checks(cs []model.Check) string {
	var parts []string
	for _, c := range cs {
		t := c.Name
		switch {
		case c.Skipped != "":
			t += " skipped (" + c.Skipped + ")"
		case !c.OK:
			t += " failed"
			if c.Detail != "" {
				t += " (" + clean(c.Detail) + ")"
			}
		}
		parts = append(parts, t)
	}
	return strings.Join(parts, ", ")
}
