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

// Comparison writes what compare or gate found. The first line is the answer,
// and says of how many benchmarks it could not be told; a row for each
// benchmark follows, the worst first, with what its standing rests on; and then
// what was compared, where, at what cost, and how to see it again.
func Comparison(w io.Writer, c *model.Comparison, o Options) error {
	s := &sheet{o: o}
	s.para(verdictStyle(c), "", answerOf(c))
	if c.Stopped != "" {
		s.para(yellow, "", "Stopped early ("+c.Stopped+"): this is what was known by then.")
	}
	s.comparedRows(c)
	s.load(c)
	s.warnings(comparisonWarnings(c))
	s.about(c)
	return s.flush(w)
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

// A tally counts the standings of a comparison; programs under load are one.
type tally struct {
	all       int // that could be compared
	regressed int
	open      int // undecided, or failed on one side: both leave the question open
	failed    int // of these
	accepted  int
	improved  int
	clean     int
	unchanged int
	oneSided  int
}

func tallyOf(c *model.Comparison) tally {
	t := tally{
		regressed: c.Count(model.Regressed), open: c.Count(model.Open, model.Failed), failed: c.Count(model.Failed),
		accepted: c.Count(model.Accepted), improved: c.Count(model.Improved), clean: c.Count(model.Clean),
		unchanged: c.Count(model.Unchanged), oneSided: c.Count(model.OneSided),
	}
	t.all = len(c.Benchmarks) - t.oneSided
	if c.Load == nil {
		return t
	}
	t.all++
	switch c.Load.Standing {
	case model.Regressed:
		t.regressed++
	case model.Open, model.Failed, model.OneSided:
		t.open++
	case model.Improved:
		t.improved++
	case model.Accepted:
		t.accepted++
	default:
		t.clean++
	}
	return t
}

// answerOf is the first line of a report: "regressed: 2 of 14, undecided: 1".
// It begins with the worst that is so, so that nobody takes what was not found
// out for what is not there.
func answerOf(c *model.Comparison) string {
	t := tallyOf(c)
	of := " of " + strconv.Itoa(t.all)
	good := t.all - t.accepted // nothing else is left below
	text := ""
	switch {
	case t.regressed > 0:
		text = "regressed: " + strconv.Itoa(t.regressed) + of
		if t.open > 0 {
			text += ", undecided: " + strconv.Itoa(t.open)
		}
	case t.open > 0:
		text = "undecided: " + strconv.Itoa(t.open) + of
	case t.all == 0:
		text = "nothing compared"
	case c.Stopped != "":
		text = "stopped early: " + strconv.Itoa(good) + of + " clean by then"
	case t.improved > 0 && c.Verb != "gate":
		text = "improved: " + strconv.Itoa(t.improved) + of + ", nothing worse"
		t.improved = 0
	default:
		text = "clean: " + strconv.Itoa(good) + of
	}
	if t.regressed == 0 && t.open == 0 && t.improved == 0 {
		t.clean = 0 // that is what the line says already
	}
	if more := t.rest(); len(more) > 0 {
		text += " (" + strings.Join(more, "; ") + ")"
	}
	return text
}

// rest says what became of the others.
func (t tally) rest() []string {
	var out []string
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			out = append(out, "1 "+one)
		case n > 1:
			out = append(out, strconv.Itoa(n)+" "+many)
		}
	}
	add(t.failed, "fails on one side", "fail on one side")
	add(t.accepted, "regressed and accepted", "regressed and accepted")
	add(t.improved, "improved", "improved")
	add(t.clean, "clean", "clean")
	add(t.unchanged, "not run: its code is unchanged", "not run: their code is unchanged")
	add(t.oneSided, "on one side only", "on one side only")
	return out
}

// verdictStyle is how the first line looks.
func verdictStyle(c *model.Comparison) style {
	t := tallyOf(c)
	switch {
	case t.regressed > 0:
		return boldRed
	case t.open > 0 || t.all == 0 || c.Stopped != "":
		return boldYellow
	}
	return boldGreen
}

// The styles of first lines.
const (
	boldRed    style = "1;31"
	boldYellow style = "1;33"
	boldGreen  style = "1;32"
)

// comparedRows writes the table of benchmarks, with what there is to say below
// their rows. Where the width does not hold B/op, what changed of it stands
// below; where it does not hold the rest either, the figures do.
func (s *sheet) comparedRows(c *model.Comparison) {
	rows := comparedRowsOf(c)
	if len(rows) > 0 {
		s.blank()
	}
	for _, l := range []layout{whole, noBytes} {
		if table := rowTable(c, rows, l); s.fits(table) {
			s.rowsWithNotes(table, rows, l)
			s.notRun(c)
			return
		}
	}
	for _, r := range rows {
		s.mark(r.mark.style, r.mark.text+" ", bold, r.name+"  "+r.standing)
		if f := r.figures(); f != "" {
			s.para(normal, "  ", f)
		}
		s.notes(r, false)
	}
	s.notRun(c)
}

// A layout says which columns a table of benchmarks has.
type layout int

const (
	whole layout = iota
	noBytes
)

func rowTable(c *model.Comparison, rows []comparedRow, l layout) [][]cell {
	metric, level := sharedMetric(c)
	head := []cell{left(""), left(""), right(metric), left(level), right("allocs/op"), right("B/op"), right("")}
	counted, moved := false, false
	for _, r := range rows {
		counted, moved = counted || r.allocs != "", moved || r.bytes != ""
	}
	if !counted {
		head[4].text = ""
	}
	if !moved || l == noBytes {
		head[5].text = ""
	}
	for i := range head {
		head[i].style = dim
	}
	table := [][]cell{head}
	for _, r := range rows {
		bytes := r.bytes
		if l == noBytes {
			bytes = ""
		}
		change := r.change
		if metric == "" && r.change != "" {
			change = metricShort(r.metric) + " " + change
		}
		table = append(table, []cell{left(r.mark.text + " " + r.name), left(r.standing).in(r.mark.style), right(change).in(bold),
			left(r.interval).in(dim), right(r.allocs), right(bytes), right(r.units).in(dim)})
	}
	return table
}

// rowsWithNotes lays a table out as a whole, so that columns align, and then
// takes it apart again for the notes between its rows.
func (s *sheet) rowsWithNotes(table [][]cell, rows []comparedRow, l layout) {
	lay := &sheet{o: s.o}
	lay.table("", table)
	for i, line := range strings.Split(strings.TrimSuffix(lay.b.String(), "\n"), "\n") {
		if i > 0 {
			s.b.WriteString(line + "\n")
			s.notes(rows[i-1], l == noBytes)
		} else if strings.TrimSpace(line) != "" {
			s.b.WriteString(line + "\n")
		}
	}
}

// noteLines is how many lines a note may take; output that a failed benchmark
// left can be long.
const noteLines = 3

func (s *sheet) notes(r comparedRow, bytes bool) {
	if bytes && r.bytesMoved {
		s.para(normal, "    ", "B/op "+r.bytes)
	}
	for _, n := range r.notes {
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
