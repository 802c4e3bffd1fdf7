package runs

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Text writes the end of a run: the answer in its first lines, then what is better
// and by how much, what was tried, where the time goes, and where all of it is.
// With Verbose nothing is left out.
func Text(w io.Writer, r *model.Run, o sheet.Options) error {
	s := sheet.New(o)
	cs := costs(r)
	addAnswer(s, r, cs)
	if o.Verbose {
		results(s, shownResults(r))
	} else {
		gains(s, r)
	}
	attempts(s, r)
	if t := proposers(r); t != "" {
		s.Blank()
		s.Para(sheet.Normal, "", "Proposers: "+t)
	}
	if o.Verbose || r.Verb == "try" {
		guarded(s, r)
	} else {
		behaved(s, r)
	}
	if r.Verb != "try" || o.Verbose {
		addCosts(s, r, cs)
	}
	rest(s, r)
	return s.Flush(w)
}

// addAnswer writes what became of the run, and what to do now.
func addAnswer(s *sheet.Sheet, r *model.Run, cs []cost) {
	a := answerOf(r)
	s.Para(sheet.Bold, "", a.verdict)
	if r.Kept() == 0 && r.Verb != "try" {
		if t := whereToLook(cs); t != "" {
			s.Mark(sheet.Dim, "Next: ", sheet.Normal, t)
		}
	}
	for _, st := range a.next {
		s.AsIs(st.Label+": ", st.Text)
	}
}

// rest are the warnings in one block, and where everything is.
func rest(s *sheet.Sheet, r *model.Run) {
	s.Warnings(warnings(r))
	next(s, r)
	took(s, r)
}

// addCosts writes the lines that cost most, the costliest first, with what may help
// where nothing is tried.
func addCosts(s *sheet.Sheet, r *model.Run, cs []cost) {
	if len(cs) == 0 {
		return
	}
	shown := cs
	one := len(families(benchmarks(prospects(r)))) == 1
	head := "Where the time goes, each in the benchmark where it costs most"
	if one {
		head = "Where the time goes, in this benchmark"
	}
	if r.Kept() > 0 {
		head += ", before any change"
		if slices.ContainsFunc(cs, func(c cost) bool { return c.after > 0 }) {
			head += " but where a line says so"
		}
	}
	if !s.Verbose() && len(cs) > shownCosts {
		shown = cs[:shownCosts]
		head += fmt.Sprintf(" (%d of %d lines; -v shows all)", shownCosts, len(cs))
	}
	s.Heading(head + ":")
	table := [][]sheet.Cell{sheet.Dimmed(sheet.Right("cpu"), sheet.Right("allocs"), sheet.Left(""))}
	for _, c := range shown {
		cpu, allocs := c.shares()
		where := c.place()
		if c.fn != "" {
			where += "  " + symbol(c.fn)
		}
		if !one {
			where += ", in " + c.in()
		}
		table = append(table, []sheet.Cell{sheet.Right(cpu).In(sheet.Bold), sheet.Right(allocs), sheet.Left(where)})
	}
	// The table is laid out as a whole, so that columns align, and then taken
	// apart again for what stands between its rows.
	lay := s.Like()
	lay.Table("", table)
	said, left := map[string]string{}, leftAlone(shown)
	for i, line := range strings.Split(strings.TrimSuffix(lay.String(), "\n"), "\n") {
		s.Raw(line + "\n")
		if i > 0 {
			addCost(s, shown[i-1], said, left)
		}
	}
	addLoose(s, r)
}

// leftAlone lists the lines that each reason stands for.
func leftAlone(cs []cost) map[string][]string {
	out := map[string][]string{}
	for _, c := range cs {
		for _, t := range c.skips() {
			out[t] = append(out[t], c.place())
		}
	}
	return out
}

// addCost writes what a line spends its time on, and what is tried there or may
// help. A lead that stands above already is named by its place, and a reason why
// lines are left alone stands at the first of them.
func addCost(s *sheet.Sheet, c cost, said map[string]string, left map[string][]string) {
	ideas := c.ideas()
	if t := c.why(); t != "" && (s.Verbose() || len(ideas) == 0) {
		s.Para(sheet.Dim, "    ", t)
	}
	for _, t := range ideas {
		s.Mark(sheet.Green, "    idea: ", sheet.Normal, t)
	}
	for _, t := range c.skips() {
		at := left[t]
		if at[0] != c.place() || !s.Verbose() && !strings.HasPrefix(t, "refuted on ") {
			continue
		}
		if len(at) > 1 {
			t += "; likewise at " + strings.Join(at[1:], ", ")
		}
		s.Para(sheet.Dim, "    left alone: ", t)
	}
	if len(ideas) > 0 {
		return
	}
	like := ""
	for _, l := range c.leads {
		if at, ok := said[l.Try]; ok {
			like = at
			continue
		}
		said[l.Try] = c.place()
		s.Mark(sheet.Green, "  → ", sheet.Normal, leadText(l, c.why()))
	}
	if like != "" {
		s.Para(sheet.Dim, "  → ", "as for "+like)
	}
}

// addLoose writes what no line explains.
func addLoose(s *sheet.Sheet, r *model.Run) {
	texts := loose(r)
	if s.Verbose() {
		texts = nil
		for _, u := range r.Unexplained {
			texts = append(texts, unexplained(u))
		}
	}
	if len(texts) > 0 {
		s.Heading("On no line:")
	}
	for _, t := range texts {
		s.Para(sheet.Normal, "· ", t)
	}
}

func gains(s *sheet.Sheet, r *model.Run) {
	said, same := settled(shownResults(r))
	said = slices.DeleteFunc(said, func(res model.Result) bool { return res.Verdict == nil })
	if len(said)+len(same) == 0 {
		return
	}
	if len(said) < manyResults {
		results(s, said)
	} else {
		s.Heading("Original against final, each in this benchmark:")
		gainTable(s, said)
	}
	if len(same) > 0 {
		s.Blank()
		s.Para(sheet.Dim, "", "No worthwhile effect on "+strings.Join(namesOf(same), ", ")+".")
	}
}

func gainTable(s *sheet.Sheet, rs []model.Result) {
	table := [][]sheet.Cell{sheet.Dimmed(sheet.Left(""), sheet.Right("before"), sheet.Left(""), sheet.Right("after"), sheet.Right("change"),
		sheet.Left(figure.Level(rs[0].Verdict)), sheet.Right("allocs/op"))}
	for _, res := range rs {
		v := *res.Verdict
		rows := figure.Rows(res)
		at := slices.IndexFunc(rows, func(w figure.Row) bool { return w.Label == v.Metric })
		count := slices.IndexFunc(rows, func(w figure.Row) bool { return w.Label == "allocs/op" })
		if at < 0 || count < 0 {
			continue
		}
		w, allocs := rows[at], rows[count].After
		if !rows[count].Equal {
			allocs = rows[count].Before + " → " + allocs
		}
		table = append(table, []sheet.Cell{sheet.Left(res.Benchmark.String()), sheet.Right(w.Before), sheet.Left("→"), sheet.Right(w.After).In(sheet.Bold),
			sheet.Right(w.Change), sheet.Left(w.Interval).In(sheet.Dim), sheet.Right(allocs)})
	}
	s.Table("", table)
}

// manyResults is from where on a benchmark has a row instead of a table: a screen
// holds about four whole tables.
const manyResults = 5

func results(s *sheet.Sheet, rs []model.Result) {
	for _, res := range rs {
		s.Heading(headline(res))
		result(s, figure.Rows(res), figure.Level(res.Verdict))
		if v := res.Verdict; v != nil {
			s.Para(sheet.Dim, "", figure.Stands(*v))
		}
	}
}

func result(s *sheet.Sheet, rows []figure.Row, level string) {
	head := []sheet.Cell{sheet.Left(""), sheet.Right("before"), sheet.Left(""), sheet.Right("after"), sheet.Right("change"), sheet.Left(level)}
	if len(rows) > 0 && rows[0].After == "" {
		head = []sheet.Cell{sheet.Left(""), sheet.Right("now"), sheet.Left(""), sheet.Left(""), sheet.Left(""), sheet.Left("")}
	}
	for i := range head {
		head[i].Style = sheet.Dim
	}
	table := [][]sheet.Cell{head}
	for _, w := range rows {
		arrow := ""
		if w.After != "" {
			arrow = "→"
		}
		table = append(table, []sheet.Cell{sheet.Left(w.Label), sheet.Right(w.Before), sheet.Left(arrow), sheet.Right(w.After).In(sheet.Bold),
			sheet.Right(w.Change), sheet.Left(w.Interval).In(sheet.Dim)})
	}
	s.Table("", table)
}

// attempts lists what was tried, a line each. With Verbose, and of a change that
// somebody brought, the whole reason stands below.
func attempts(s *sheet.Sheet, r *model.Run) {
	if len(r.Attempts) == 0 {
		return
	}
	many := severalBenchmarks(r.Attempts)
	if many {
		s.Heading("Tried in this order; figures hold in the benchmark of each:")
	} else {
		s.Heading("Tried in this order; figures hold in this benchmark:")
	}
	for _, a := range r.Attempts {
		if s.Verbose() || r.Verb == "try" {
			s.Mark(styleOf(a.Outcome), Mark(a.Outcome)+" ", sheet.Normal, a.Change.Title)
			s.Para(sheet.Dim, "  ", told(a, many))
			if a.Outcome.Kept() {
				addRetains(s, "  ", a.Change.Retains)
			}
			continue
		}
		attempt(s, a)
	}
}

// outcomeShare is the part of a line that the outcome of an idea may take, where its
// title needs the rest.
const outcomeShare = 0.5

// readable is how far apart both ends of a line may stand to be read as one.
const readable = 100

// attempt writes an idea in one line: both its title and what became of it are cut
// where they do not fit.
func attempt(s *sheet.Sheet, a model.Attempt) {
	title, end := s.Text(a.Change.Title), s.Text(idea(a))
	room := min(s.Width(), readable) - len("x ") - s.Gap()
	most := max(room-utf8.RuneCountInString(title), int(outcomeShare*float64(room)))
	end = sheet.Cut(end, most, s.ASCII())
	title = middle(title, room-utf8.RuneCountInString(end), s.ASCII())
	pad := strings.Repeat(" ", room+s.Gap()-utf8.RuneCountInString(title)-utf8.RuneCountInString(end))
	s.Raw(s.Paint(styleOf(a.Outcome), s.Text(Mark(a.Outcome))+" ") + title + pad + s.Paint(sheet.Dim, end) + "\n")
}

// middle shortens a title in its middle: ideas about one line differ at their ends.
func middle(t string, width int, ascii bool) string {
	all := []rune(t)
	if len(all) <= width || width < len("a…z") {
		return sheet.Cut(t, width, ascii)
	}
	tail := width / 3
	return sheet.Cut(string(all[:len(all)-tail]), width-tail, ascii) + strings.TrimLeft(string(all[len(all)-tail:]), " ")
}

// outcome is what became of an attempt, in one line: the loop's reason and the
// figures behind it, with the benchmark's name where there are many.
func outcome(a model.Attempt, many bool) string {
	reason := cmp.Or(a.Reason, string(a.Outcome))
	if f := figures(a, many); f != "" {
		reason += " · " + f
	}
	return reason
}

func unexplained(u model.Unexplained) string {
	t := figure.Amount(u.Resource, u.PerOp) + " per op of " + u.Benchmark.String()
	if u.Text != "" {
		t += ": " + u.Text
	}
	return t
}

// next says where everything is and what to do with it. Commands and paths
// stand together, to be copied.
func next(s *sheet.Sheet, r *model.Run) {
	lines := steps(r)
	if len(lines) == 0 {
		return
	}
	s.Blank()
	for _, l := range lines {
		if l.Label == "merge" { // the answer begins with it
			continue
		}
		s.AsIs(fmt.Sprintf("%-8s", l.Label), l.Text)
	}
}

func steps(r *model.Run) []figure.Step {
	var out []figure.Step
	add := func(label, text string, command bool) {
		if text != "" {
			out = append(out, figure.Step{Label: label, Text: text, Command: command})
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

func took(s *sheet.Sheet, r *model.Run) {
	sp := r.Split
	if sp.Total <= 0 {
		return
	}
	s.Blank()
	var parts []string
	for _, p := range figure.Split(sp) {
		parts = append(parts, figure.Share(p.Seconds/sp.Total)+" "+p.Name)
	}
	s.Para(sheet.Dim, "", "Took "+words.Seconds(sp.Total)+": "+strings.Join(parts, ", ")+"."+longestSteps(allSteps(r)))
}
