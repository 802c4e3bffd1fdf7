package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
)

// Comparison writes what compare or gate found. The first line is the answer,
// and says of how many benchmarks it could not be told; a row for each
// benchmark follows, the worst first, with what its standing rests on; and then
// what was compared, where, at what cost, and how to see it again.
func Comparison(w io.Writer, c *model.Comparison, o Options) error {
	s := &sheet{o: o}
	s.answer(c)
	if c.Stopped != "" {
		s.para(yellow, "", "Stopped early ("+c.Stopped+"): this is what was known by then.")
	}
	s.comparedRows(c)
	s.load(c)
	s.records(c.Records)
	s.warnings(comparisonWarnings(c))
	s.about(c)
	return s.flush(w)
}

// answer writes the first line, and what became of the others behind it where
// there is room.
func (s *sheet) answer(c *model.Comparison) {
	head, rest := answerOf(c)
	st := verdictStyle(c)
	switch whole := oneLine(head, rest); {
	case rest == "" || utf8.RuneCountInString(s.text(whole)) <= s.o.width():
		s.para(st, "", whole)
	default:
		s.para(st, "", head)
		s.para(dim, "", rest)
	}
}

func oneLine(head, rest string) string {
	if rest == "" {
		return head
	}
	return head + " (" + rest + ")"
}

// ComparisonJSON writes a comparison the way JSON does. Lists that a reader can
// rely on are there also when they are empty.
func ComparisonJSON(w io.Writer, c *model.Comparison) error {
	out := *c
	if out.Benchmarks == nil {
		out.Benchmarks = []model.Compared{}
	}
	if out.Args == nil {
		out.Args = []string{}
	}
	return JSON(w, &out)
}

// verdictStyle is how the first line looks.
func verdictStyle(c *model.Comparison) style {
	t := standingsOf(c)
	switch {
	case t.regressed > 0 || c.Broken() > 0:
		return red
	case t.open > 0 || c.Untold() > 0 || t.all == 0 || c.Stopped != "":
		return yellow
	}
	return green
}

// A layout says which counts a table of benchmarks has columns for, and whether
// names stand in a line of their own. Counts without a column stand below the
// row where they changed.
type layout struct{ allocs, bytes, apart bool }

// layouts are those that are tried, the best first.
func layouts() []layout {
	return []layout{
		{allocs: true, bytes: true}, {allocs: true},
		{allocs: true, bytes: true, apart: true}, {allocs: true, apart: true},
		{}, {apart: true},
	}
}

func (l layout) indent() string {
	if l.apart {
		return "    "
	}
	return ""
}

// comparedRows writes the table of benchmarks, with what there is to say below
// their rows. Where the width holds no table, the figures stand below the name.
func (s *sheet) comparedRows(c *model.Comparison) {
	rows := comparedRowsOf(c)
	if len(rows) > 0 {
		s.blank()
	}
	if !s.comparedTable(c, rows) {
		for _, r := range rows {
			s.mark(r.mark.style, s.text(r.mark.text)+" ", bold, r.name+": "+r.standing)
			if f := r.figures(); f != "" {
				s.para(normal, "    ", f)
			}
			s.notes(r.notes)
		}
	}
	s.notRun(c)
}

// comparedTable writes the rows in columns, if that fits.
func (s *sheet) comparedTable(c *model.Comparison, rows []comparedRow) bool {
	all := layouts()
	i := slices.IndexFunc(all, func(l layout) bool { return len(l.indent())+s.spread(rowTable(c, rows, l)) <= s.o.width() })
	if i < 0 {
		return false
	}
	s.rowsWithNotes(rowTable(c, rows, all[i]), rows, all[i])
	if !all[i].bytes && slices.ContainsFunc(rows, func(r comparedRow) bool { return r.bytes != "" && !r.bytesMoved }) {
		what := "Counts are shown where they changed"
		if all[i].allocs {
			what = "B/op is shown where it changed"
		}
		s.para(dim, "", what+"; -json has them all.")
	}
	return true
}

func rowTable(c *model.Comparison, rows []comparedRow, l layout) [][]cell {
	metric, level := sharedMetric(c)
	table := [][]cell{{left(""), left(""), right(metric), left(level), right("allocs/op"), right("B/op"), right("")}}
	counted := false
	for _, r := range rows {
		counted = counted || r.allocs+r.bytes != ""
		table = append(table, []cell{left(r.mark.text + " " + r.name), left(r.standing).in(r.mark.style), right(r.time(metric)).in(bold),
			left(r.interval).in(dim), right(r.allocs), right(r.bytes), right(r.units).in(dim)})
	}
	for i := range table {
		if l.apart {
			table[i][0].text = ""
		}
		if !l.allocs || !counted {
			table[i][4].text = ""
		}
		if !l.bytes || !counted {
			table[i][5].text = ""
		}
	}
	for i := range table[0] {
		table[0][i].style = dim
	}
	return table
}

// rowsWithNotes lays a table out as a whole, so that columns align, and then
// takes it apart again for the notes between its rows.
func (s *sheet) rowsWithNotes(table [][]cell, rows []comparedRow, l layout) {
	lay := &sheet{o: s.o}
	lay.table(l.indent(), table)
	head, body, _ := strings.Cut(lay.b.String(), "\n")
	if strings.TrimSpace(head) != "" {
		s.b.WriteString(head + "\n")
	}
	for i, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		if i >= len(rows) {
			break // no rows
		}
		if l.apart {
			s.mark(rows[i].mark.style, s.text(rows[i].mark.text)+" ", bold, rows[i].name)
		}
		s.b.WriteString(line + "\n")
		s.notes(append(rows[i].moved(l), rows[i].notes...))
	}
}

// noteLines is how many lines a note may take; output that a failed benchmark
// left can be long.
const noteLines = 3

func (s *sheet) notes(notes []string) {
	for _, n := range notes {
		lines := wrap(s.text(n), s.o.width()-4)
		if len(lines) > noteLines {
			lines = append(lines[:noteLines-1], cut(strings.Join(lines[noteLines-1:], " "), s.o.width()-4, s.o.ASCII))
		}
		for _, l := range lines {
			s.b.WriteString("    " + l + "\n")
		}
	}
}

// namedMax is how many benchmarks a list names before it counts.
const namedMax = 8

// notRun says in one line which benchmarks were left out.
func (s *sheet) notRun(c *model.Comparison) {
	if names := unchangedNames(c); len(names) > 0 {
		s.blank()
		s.para(dim, "", "Not run, for the code that they reach is unchanged: "+named(names, namedMax))
	}
}

func unchangedNames(c *model.Comparison) []string {
	var out []string
	name := namer(c)
	for _, b := range c.Benchmarks {
		if b.Standing == model.Unchanged {
			out = append(out, name(b.Benchmark))
		}
	}
	return out
}

// named lists names, the first ones by name.
func named(names []string, most int) string {
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
}

// about says what was compared, by which promise, where and at what cost.
func (s *sheet) about(c *model.Comparison) {
	s.blank()
	facts := comparisonFacts(c)
	width := 0
	for _, f := range facts {
		width = max(width, utf8.RuneCountInString(f.Label))
	}
	for _, f := range facts {
		s.mark(dim, fmt.Sprintf("%-*s", width+2, f.Label), normal, f.Text)
	}
	if steps := comparisonSteps(c); len(steps) > 0 {
		s.blank()
		for _, st := range steps {
			s.asIs(fmt.Sprintf("%-*s", width+2, st.Label), st.Text)
		}
	}
	if t := cost(c); t != "" {
		s.blank()
		s.para(dim, "", t)
	}
}

// comparisonWarnings are those of the run, and those of its benchmarks with the
// names of the benchmarks that have them in front.
func comparisonWarnings(c *model.Comparison) []model.Warning {
	name := namer(c)
	var order []model.Warning
	who := make(map[model.Warning][]string)
	add := func(w model.Warning, of string) {
		if _, ok := who[w]; !ok {
			order = append(order, w)
		}
		if of == "" || !slices.Contains(who[w], of) {
			who[w] = append(who[w], of)
		}
	}
	for _, w := range c.Warnings {
		add(w, "")
	}
	for _, b := range c.Benchmarks {
		for _, w := range benchmarkWarnings(b) {
			add(w, name(b.Benchmark))
		}
	}
	for i, w := range order {
		if names := who[w]; names[0] != "" {
			order[i].Seen = named(names, 3) + ": " + w.Seen
		}
	}
	return order
}

func benchmarkWarnings(b model.Compared) []model.Warning {
	out := slices.Clone(b.Warnings)
	if b.Plan != nil {
		out = append(out, b.Plan.Warnings...)
	}
	for _, v := range []*model.Verdict{b.Verdict, b.Screen} {
		if v != nil {
			out = append(out, v.Warnings...)
		}
	}
	return out
}
