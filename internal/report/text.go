package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
)

// Text writes the end of a run: what is better and by how much, what was tried
// in order, what was left alone and why, and what to do now.
func Text(w io.Writer, r *model.Run, o Options) error {
	s := &sheet{o: o}
	s.outcome(r)
	s.attempts(r.Attempts)
	s.guarded(r)
	s.rest(r)
	return s.flush(w)
}

func (s *sheet) outcome(r *model.Run) {
	s.para(bold, "", summary(r))
	if r.Stopped != "" {
		s.para(yellow, "", "Stopped early ("+r.Stopped+"): this is what was known by then.")
	}
	s.results(r)
}

func (s *sheet) rest(r *model.Run) {
	s.notTried(r)
	s.unexplained(r.Unexplained)
	s.warnings(warnings(r))
	s.next(r)
	s.took(r.Split)
}

func (s *sheet) flush(w io.Writer) error {
	if _, err := io.WriteString(w, s.b.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// manyResults is from where on a table leaves out the figures that stayed: a
// screen holds about four whole benchmarks.
const manyResults = 5

func (s *sheet) results(r *model.Run) {
	for _, res := range r.Results {
		s.heading(headline(res))
		all := rows(res)
		if len(r.Results) >= manyResults {
			all = slices.DeleteFunc(all, func(w row) bool { return w.Equal })
		}
		s.result(all, level(res.Verdict))
		if v := res.Verdict; v != nil {
			s.para(dim, "", fmt.Sprintf("%s after %s", v.Answer, units(*v)))
		}
	}
	if len(r.Results) >= manyResults {
		s.blank()
		s.para(dim, "", "Counts that stayed are left out; -json has them all.")
	}
}

// level is the heading of the column of intervals.
func level(v *model.Verdict) string {
	if v == nil || v.Level == 0 {
		return ""
	}
	return share(v.Level) + " interval"
}

func (s *sheet) result(rows []row, level string) {
	head := []cell{left(""), right("before"), left(""), right("after"), right("change"), left(level)}
	if len(rows) > 0 && rows[0].After == "" {
		head = []cell{left(""), right("now"), left(""), left(""), left(""), left("")}
	}
	for i := range head {
		head[i].style = dim
	}
	table := [][]cell{head}
	for _, w := range rows {
		arrow := ""
		if w.After != "" {
			arrow = "→"
		}
		table = append(table, []cell{left(w.Label), right(w.Before), left(arrow), right(w.After).in(bold),
			right(w.Change), left(w.Interval).in(dim)})
	}
	s.table("", table)
}

// attempts lists what was tried, one line each where the width allows it, and
// else with the reason below the title: one way for all of them.
func (s *sheet) attempts(attempts []model.Attempt) {
	if len(attempts) == 0 {
		return
	}
	many := severalBenchmarks(attempts)
	if many {
		s.heading("Tried in this order; figures hold in the benchmark that they name:")
	} else {
		s.heading("Tried in this order; figures hold in this benchmark:")
	}
	title, reason := 0, 0
	for _, a := range attempts {
		title = max(title, utf8.RuneCountInString(s.text(a.Change.Title)))
		reason = max(reason, utf8.RuneCountInString(s.text(outcome(a, many))))
	}
	oneLine := len("x ")+title+s.gap()+reason <= s.o.width()
	for _, a := range attempts {
		mark, st := "✗ ", yellow
		if a.Outcome == model.Kept {
			mark, st = "✓ ", green
		}
		if oneLine {
			t := s.text(a.Change.Title)
			pad := strings.Repeat(" ", title-utf8.RuneCountInString(t)+s.gap())
			s.b.WriteString(s.paint(st, s.text(mark)+" ") + t + pad + s.paint(dim, s.text(outcome(a, many))) + "\n")
		} else {
			s.mark(st, mark, normal, a.Change.Title)
			s.para(dim, "  ", outcome(a, many))
		}
		if a.Outcome == model.Kept {
			s.retains("  ", a.Change.Retains)
		}
	}
}

// outcome is what became of an attempt, in one line: the loop's reason and the
// figures behind it, with the benchmark's name where there are many.
func outcome(a model.Attempt, many bool) string {
	reason := a.Reason
	if reason == "" {
		reason = string(a.Outcome)
	}
	if f := figures(a, many); f != "" {
		reason += " · " + f
	}
	return reason
}

// placesMax is how many places of a group are named; the rest is counted.
const placesMax = 4

func (s *sheet) notTried(r *model.Run) {
	groups := skipped(r)
	if len(groups) == 0 {
		return
	}
	total := 0
	for _, g := range groups {
		total += len(g.places)
	}
	s.heading(number(total, "target") + " left alone:")
	for _, g := range groups {
		s.para(normal, "· ", g.line())
	}
}

func (g group) line() string {
	places := g.places
	more := ""
	if len(places) > placesMax {
		more = " and " + strconv.Itoa(len(places)-placesMax) + " more"
		places = places[:placesMax]
	}
	return strings.Join(places, ", ") + more + ": " + g.why
}

func (s *sheet) unexplained(us []model.Unexplained) {
	if len(us) == 0 {
		return
	}
	s.heading("Not explained by any line:")
	for _, u := range us {
		s.para(normal, "· ", unexplained(u))
	}
}

func unexplained(u model.Unexplained) string {
	t := amount(u.Resource, u.PerOp) + " per op of " + u.Benchmark.String()
	if u.Text != "" {
		t += ": " + u.Text
	}
	return t
}

func (s *sheet) warnings(ws []model.Warning) {
	if len(ws) == 0 {
		return
	}
	s.heading("Warnings:")
	for _, w := range ws {
		s.mark(yellow, "! ", normal, w.Seen)
		if w.Cause != "" {
			s.para(dim, "  ", "likely because "+w.Cause)
		}
		if w.Try != "" {
			s.para(dim, "  ", "try: "+w.Try)
		}
	}
}

// next says where everything is and what to do with it. Commands and paths
// stand together, to be copied.
func (s *sheet) next(r *model.Run) {
	lines := steps(r)
	if len(lines) == 0 {
		return
	}
	s.blank()
	for _, l := range lines {
		s.asIs(fmt.Sprintf("%-8s", l.Label), l.Text)
	}
}

// A step is something to go to or to do, with its name.
type step struct {
	Label, Text string
	Command     bool
}

func steps(r *model.Run) []step {
	var out []step
	add := func(label, text string, command bool) {
		if text != "" {
			out = append(out, step{label, text, command})
		}
	}
	add("branch", r.Branch, false)
	for _, p := range r.Patches {
		add("patch", p, false)
	}
	add("report", r.Report, false)
	add("replay", r.Replay, true)
	add("merge", r.Merge, true)
	add("drop", r.Drop, true)
	return out
}

func (s *sheet) took(sp model.Split) {
	if sp.Total <= 0 {
		return
	}
	s.blank()
	var parts []string
	for _, p := range split(sp) {
		parts = append(parts, share(p.seconds/sp.Total)+" "+p.name)
	}
	s.para(dim, "", "Took "+seconds(sp.Total)+": "+strings.Join(parts, ", ")+".")
}

// A part is one use of a run's time.
type part struct {
	name    string
	seconds float64
}

func split(sp model.Split) []part {
	return []part{{"measuring", sp.Measure}, {"building", sp.Build}, {"testing", sp.Test}, {"other", sp.Other}}
}
