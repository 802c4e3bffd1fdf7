package comparison

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/data"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/sheet"
	"github.com/pawl-dev/pawl/internal/words"
)

// Text writes what compare or gate found. The first line is the answer,
// and how many benchmarks stayed undecided, with the command that decides
// these; a row for each benchmark follows, the worst first, with what its standing
// rests on; and then what was compared, where, at what cost, and how to see it again.
// Without Verbose, what is clean is named only where it is much, and the machine, the
// settings and the samples are left out.
func Text(w io.Writer, c *model.Comparison, o sheet.Options) error {
	s := sheet.New(o)
	answer(s, c)
	if c.Stopped != "" {
		s.Para(sheet.Yellow, "", "Stopped early ("+c.Stopped+"): this is what was known by then.")
	}
	if t := decide(c); t != "" {
		s.AsIs("Decide it: ", t)
	}
	comparedRows(s, c)
	load(s, c)
	records(s, c.Records)
	s.Warnings(comparisonWarnings(c))
	about(s, c)
	return s.Flush(w)
}

// answer writes the first line, and what became of the others behind it where
// there is room.
func answer(s *sheet.Sheet, c *model.Comparison) {
	head, rest := Answer(c)
	st := verdictStyle(c)
	switch whole := oneLine(head, rest); {
	case rest == "" || utf8.RuneCountInString(s.Text(whole)) <= s.Width():
		s.Para(st, "", whole)
	default:
		s.Para(st, "", head)
		s.Para(sheet.Dim, "", rest)
	}
}

func oneLine(head, rest string) string {
	if rest == "" {
		return head
	}
	return head + " (" + rest + ")"
}

// JSON writes a comparison the way JSON does. Lists that a reader can
// rely on are there also when they are empty.
func JSON(w io.Writer, c *model.Comparison) error {
	out := *c
	if out.Benchmarks == nil {
		out.Benchmarks = []model.Compared{}
	}
	if out.Args == nil {
		out.Args = []string{}
	}
	return data.JSON(w, &out)
}

// verdictStyle is how the first line looks.
func verdictStyle(c *model.Comparison) sheet.Style {
	t := standingsOf(c)
	switch {
	case t.regressed > 0 || c.Broken() > 0:
		return sheet.Red
	case t.open > 0 || c.Untold() > 0 || t.all == 0 || c.Stopped != "":
		return sheet.Yellow
	}
	return sheet.Green
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
func comparedRows(s *sheet.Sheet, c *model.Comparison) {
	rows, clean, untimed := comparedRowsOf(c), []string(nil), []string(nil)
	if !s.Verbose() && len(rows) > mostRows {
		rows, clean, untimed = telling(rows)
	}
	if len(rows) > 0 {
		s.Blank()
	}
	if !comparedTable(s, c, rows) {
		for _, r := range rows {
			s.Mark(r.mark.Style, s.Text(r.mark.Text)+" ", sheet.Bold, r.name+": "+r.standing)
			if f := r.figures(); f != "" {
				s.Para(sheet.Normal, "    ", f)
			}
			notes(s, append(r.lines(), r.notes...))
		}
	}
	if len(clean) > 0 {
		s.Blank()
		s.Para(sheet.Dim, "", "Clean, too: "+named(clean, namedMax)+"; -v shows their figures.")
	}
	if len(untimed) > 0 {
		s.Blank()
		s.Para(sheet.Dim, "", "Undecided, too, for there was no time to compare theirs: "+named(untimed, namedMax)+"; they allocate as before, and -v shows their figures.")
	}
	notRun(s, c)
}

// mostRows is from how many rows on those that have nothing else to say than that they are
// clean, or that their time was not compared, are left out.
const mostRows = 10

// telling parts rows from the names of those that are left out.
func telling(rows []comparedRow) (rest []comparedRow, clean, untimed []string) {
	for _, r := range rows {
		moved := r.allocsMoved || r.bytesMoved
		switch {
		case !moved && r.standing == string(model.Clean):
			clean = append(clean, r.name)
		case !moved && r.standing == string(model.Open) && r.allocs != "" && r.change == "" && len(r.metrics) == 0 && len(r.notes) == 1:
			untimed = append(untimed, r.name)
		default:
			rest = append(rest, r)
		}
	}
	return rest, clean, untimed
}

// comparedTable writes the rows in columns, if that fits.
func comparedTable(s *sheet.Sheet, c *model.Comparison, rows []comparedRow) bool {
	all := layouts()
	i := slices.IndexFunc(all, func(l layout) bool { return len(l.indent())+s.Spread(rowTable(c, rows, l)) <= s.Width() })
	if i < 0 {
		return false
	}
	rowsWithNotes(s, rowTable(c, rows, all[i]), rows, all[i])
	if !all[i].bytes && slices.ContainsFunc(rows, func(r comparedRow) bool { return r.bytes != "" && !r.bytesMoved }) {
		what := "Counts are shown where they changed"
		if all[i].allocs {
			what = "B/op is shown where it changed"
		}
		s.Para(sheet.Dim, "", what+"; -json has them all.")
	}
	return true
}

func rowTable(c *model.Comparison, rows []comparedRow, l layout) [][]sheet.Cell {
	metric, level := sharedMetric(c)
	table := [][]sheet.Cell{{sheet.Left(""), sheet.Left(""), sheet.Right(metric), sheet.Left(level), sheet.Right("allocs/op"), sheet.Right("B/op"), sheet.Right("")}}
	counted := false
	for _, r := range rows {
		counted = counted || r.allocs+r.bytes != ""
		table = append(table, []sheet.Cell{sheet.Left(r.mark.Text + " " + r.name), sheet.Left(r.standing).In(r.mark.Style), sheet.Right(r.time(metric)).In(sheet.Bold),
			sheet.Left(r.interval).In(sheet.Dim), sheet.Right(r.allocs), sheet.Right(r.bytes), sheet.Right(r.units).In(sheet.Dim)})
	}
	for i := range table {
		if l.apart {
			table[i][0].Text = ""
		}
		if !l.allocs || !counted {
			table[i][4].Text = ""
		}
		if !l.bytes || !counted {
			table[i][5].Text = ""
		}
	}
	for i := range table[0] {
		table[0][i].Style = sheet.Dim
	}
	return table
}

// rowsWithNotes lays a table out as a whole, so that columns align, and then
// takes it apart again for the notes between its rows.
func rowsWithNotes(s *sheet.Sheet, table [][]sheet.Cell, rows []comparedRow, l layout) {
	lay := s.Like()
	lay.Table(l.indent(), table)
	head, body, _ := strings.Cut(lay.String(), "\n")
	if strings.TrimSpace(head) != "" {
		s.Raw(head + "\n")
	}
	for i, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		if i >= len(rows) {
			break // no rows
		}
		if l.apart {
			s.Mark(rows[i].mark.Style, s.Text(rows[i].mark.Text)+" ", sheet.Bold, rows[i].name)
		}
		s.Raw(line + "\n")
		notes(s, slices.Concat(rows[i].moved(l), rows[i].lines(), rows[i].notes))
	}
}

// noteLines is how many lines a note may take; output that a failed benchmark
// left can be long.
const noteLines = 3

func notes(s *sheet.Sheet, notes []string) {
	for _, n := range notes {
		lines := sheet.Wrap(s.Text(n), s.Width()-4)
		if len(lines) > noteLines {
			lines = append(lines[:noteLines-1], sheet.Cut(strings.Join(lines[noteLines-1:], " "), s.Width()-4, s.ASCII()))
		}
		for _, l := range lines {
			s.Raw("    " + l + "\n")
		}
	}
}

// namedMax is how many benchmarks a list names before it counts.
const namedMax = 8

func notRun(s *sheet.Sheet, c *model.Comparison) {
	if names := unchangedNames(c); len(names) > 0 {
		s.Blank()
		s.Para(sheet.Dim, "", "Not run, for the code that they reach is unchanged: "+named(names, namedMax))
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
	return words.Some(names, most)
}

// shortFacts are those that are shown where not all are asked for.
var shortFacts = []string{"base", "candidate", "promised", "sees", "directory", "again"}

func about(s *sheet.Sheet, c *model.Comparison) {
	s.Blank()
	facts, steps := comparisonFacts(c), comparisonSteps(c)
	if !s.Verbose() {
		facts = slices.DeleteFunc(facts, func(f figure.Fact) bool { return !slices.Contains(shortFacts, f.Label) })
		steps = slices.DeleteFunc(steps, func(st figure.Step) bool { return !slices.Contains(shortFacts, st.Label) })
	}
	width := 0
	for _, f := range facts {
		width = max(width, utf8.RuneCountInString(f.Label))
	}
	for _, f := range facts {
		s.Mark(sheet.Dim, fmt.Sprintf("%-*s", width+2, f.Label), sheet.Normal, f.Text)
	}
	if len(steps) > 0 {
		s.Blank()
		for _, st := range steps {
			s.AsIs(fmt.Sprintf("%-*s", width+2, st.Label), st.Text)
		}
	}
	if t := cost(c); t != "" {
		s.Blank()
		s.Para(sheet.Dim, "", t)
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
