package comparison

import (
	"fmt"
	"io"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/quote"
	"github.com/pawl-dev/pawl/internal/report/sheet"
)

// plainRows is up to how many rows a summary shows all benchmarks. Beyond it,
// the clean ones are folded away.
const plainRows = 10

// Markdown writes a comparison for a pull request or the summary of a
// job: the same first line as Comparison, a table of what needs a reader, and
// the rest folded. Names and messages cannot act as markup.
func Markdown(w io.Writer, c *model.Comparison) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", quote.Markdown(oneLine(Answer(c))))
	if c.Stopped != "" {
		fmt.Fprintf(&b, "\nStopped early (%s): this is what was known by then.\n", quote.Markdown(c.Stopped))
	}
	rows := comparedRowsOf(c)
	var folded []comparedRow
	if len(rows) > plainRows {
		var shown []comparedRow
		for _, r := range rows {
			if r.standing == string(model.Clean) {
				folded = append(folded, r)
			} else {
				shown = append(shown, r)
			}
		}
		rows = shown
	}
	markdownRows(&b, c, rows)
	markdownLoad(&b, c.Load)
	markdownRecords(&b, c.Records)
	markdownWarnings(&b, comparisonWarnings(c))
	if len(folded) > 0 {
		fold := &strings.Builder{}
		markdownRows(fold, c, folded)
		details(&b, fmt.Sprintf("%d clean", len(folded)), fold.String())
	}
	if names := unchangedNames(c); len(names) > 0 {
		details(&b, fmt.Sprintf("%d not run: the code that they reach is unchanged", len(names)), "\n"+quote.Markdown(named(names, 200))+"\n")
	}
	details(&b, "What was compared, and where", markdownAbout(c))
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}

// details folds a part away. Body begins with the empty line that GitHub needs
// to read Markdown inside HTML.
func details(b *strings.Builder, summary, body string) {
	if body != "" {
		fmt.Fprintf(b, "\n<details><summary>%s</summary>\n%s\n</details>\n", quote.Markdown(summary), body)
	}
}

func markdownRows(b *strings.Builder, c *model.Comparison, rows []comparedRow) {
	if len(rows) == 0 {
		return
	}
	metric, interval := sharedMetric(c)
	fmt.Fprintf(b, "\n| | | %s | %s | allocs/op | B/op | |\n|---|---|--:|---|--:|--:|--:|\n", metric, interval)
	for _, r := range rows {
		fmt.Fprintf(b, "| %s %s | %s | %s | %s | %s | %s | %s |\n", r.mark.Text, quote.Markdown(r.name), quote.Markdown(r.standing),
			quote.Markdown(r.time(metric)), quote.Markdown(r.interval), quote.Markdown(r.allocs), quote.Markdown(r.bytes), quote.Markdown(r.units))
	}
	noted := false
	for _, r := range rows {
		all := append(r.lines(), r.notes...)
		if len(all) == 0 {
			continue
		}
		if !noted {
			b.WriteByte('\n')
			noted = true
		}
		var notes []string
		for _, n := range all {
			notes = append(notes, quote.Markdown(sheet.Cut(quote.Line(n), noteMax, false)))
		}
		fmt.Fprintf(b, "- %s: %s\n", quote.Markdown(r.name), strings.Join(notes, "<br>"))
	}
}

// noteMax is how many characters of a note a summary holds.
const noteMax = 400

func markdownLoad(b *strings.Builder, l *model.Load) {
	if l == nil {
		return
	}
	fmt.Fprintf(b, "\n%s under load: %s", markOf(l.Standing).Text, quote.Markdown(string(l.Standing)))
	if l.Why != "" {
		fmt.Fprintf(b, ": %s", quote.Markdown(l.Why))
	}
	fmt.Fprintf(b, "\n\n| | before | after | change | %s | |\n|---|--:|--:|--:|---|---|\n", loadLevel(l))
	for _, r := range loadRows(l) {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", quote.Markdown(r.name), quote.Markdown(r.before), quote.Markdown(r.after), quote.Markdown(r.change), quote.Markdown(r.interval), quote.Markdown(r.answer))
	}
	fmt.Fprintf(b, "\n%s\n", quote.Markdown(loadUnits(l)))
}

func markdownWarnings(b *strings.Builder, ws []model.Warning) {
	if len(ws) == 0 {
		return
	}
	b.WriteString("\nWarnings:\n\n")
	for _, w := range ws {
		t := quote.Markdown(w.Seen)
		if w.Cause != "" {
			t += "; likely because " + quote.Markdown(w.Cause)
		}
		if w.Try != "" {
			t += "; try: " + quote.Markdown(w.Try)
		}
		fmt.Fprintf(b, "- %s\n", t)
	}
}

// markdownAbout is what stands at the end of the report. Commands and paths are
// indented code, which cannot be closed from inside as a fence could.
func markdownAbout(c *model.Comparison) string {
	var b strings.Builder
	for i, f := range comparisonFacts(c) {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "- %s: %s\n", quote.Markdown(f.Label), quote.Markdown(f.Text))
	}
	if t := cost(c); t != "" {
		fmt.Fprintf(&b, "\n%s\n", quote.Markdown(t))
	}
	for i, st := range comparisonSteps(c) {
		if i == 0 {
			// A comment ends the list: the code would be a part of it else.
			b.WriteString("\n<!-- -->\n\n")
		}
		fmt.Fprintf(&b, "    %s\n", strings.TrimRight(fmt.Sprintf("%-10s %s", st.Label, quote.Line(st.Text)), " "))
	}
	return b.String()
}

// markdownRecords lists what does not hold of the repository's records.
func markdownRecords(b *strings.Builder, rs []model.Recorded) {
	for _, r := range rs {
		if r.Standing == "holds" {
			continue
		}
		fmt.Fprintf(b, "\n**%s** %s\n", quote.Markdown(r.File), quote.Markdown(r.Standing))
		for _, w := range r.Why {
			fmt.Fprintf(b, "- %s\n", quote.Markdown(w))
		}
	}
}
