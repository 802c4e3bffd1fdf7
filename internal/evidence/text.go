package evidence

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Style is how text looks.
type Style struct {
	Width int  // in columns; 0 means 80
	ASCII bool // no characters beyond ASCII
}

// WriteText writes a report for a terminal: a row for each rule, with the claim
// below it, and the reason where it does not simply hold.
func (r *Report) WriteText(w io.Writer, st Style) error {
	lines := align(r.rows(true))
	if st.Width > 0 && slices.ContainsFunc(lines, func(l string) bool { return utf8.RuneCountInString(l) > st.Width }) {
		lines = align(r.rows(false))
	}
	if st.Width <= 0 {
		st.Width = 80
	}
	var b strings.Builder
	b.WriteString(r.summary() + "\n")
	if len(r.Results) > 0 {
		para(&b, st, "", on(r.Env)+"; x is before ÷ after, with its interval.")
		b.WriteByte('\n')
		r.table(&b, st, lines)
	}
	if len(r.Exempt) > 0 {
		b.WriteString("\nNot measured:\n")
		for _, g := range groups(r.Exempt) {
			para(&b, st, "  ", g.names("%s (%s)")+": "+g.why)
		}
	}
	for _, warning := range r.Warnings {
		para(&b, st, "! ", warning.Seen+". "+warning.Try)
	}
	text := b.String()
	if st.ASCII {
		text = ascii.Replace(text)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing the evidence: %w", err)
	}
	return nil
}

var ascii = strings.NewReplacer("→", "->", "÷", "/", "≈", "~", "∞", "inf", "–", "-", "…", "...", "“", `"`, "”", `"`, "’", "'", "µ", "u", "×", "x")

// rows returns the table, with or without the column of bytes.
func (r *Report) rows(bytes bool) [][]string {
	table := [][]string{{"rule", "ids", "claimed", "measured", "allocs/op", "B/op", "verdict"}}
	for i := range r.Results {
		res := &r.Results[i]
		table = append(table, []string{
			res.Rule, strings.Join(res.IDs, " "), res.claim(), res.Measured(), res.change("allocs/op"), res.change("B/op"), string(res.Verdict),
		})
	}
	if !bytes {
		for i, row := range table {
			table[i] = slices.Delete(row, 5, 6)
		}
	}
	return table
}

// table writes the rows, which are aligned, with what stands below each.
func (r *Report) table(b *strings.Builder, st Style, lines []string) {
	b.WriteString(lines[0] + "\n")
	for i, line := range lines[1:] {
		res := &r.Results[i]
		b.WriteString(line + "\n")
		para(b, st, "    ", res.Claimed)
		if res.Verdict == Holds {
			continue
		}
		for why := range strings.Lines(res.Why) {
			para(b, st, "    ! ", strings.TrimRight(why, "\r\n"))
		}
	}
}

// align pads the columns of a table but for the last.
func align(table [][]string) []string {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, len(table))
	for i, row := range table {
		var b strings.Builder
		for j, cell := range row {
			b.WriteString(cell + strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell)+2))
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// para writes text broken to the width, behind head and then as many blanks.
func para(b *strings.Builder, st Style, head, text string) {
	line, empty := head, true
	for _, word := range strings.Fields(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > st.Width {
			b.WriteString(line + "\n")
			line, empty = strings.Repeat(" ", utf8.RuneCountInString(head)), true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
