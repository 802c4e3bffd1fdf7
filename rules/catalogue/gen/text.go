package gen

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/rules/catalogue"
)

// Style is how text looks.
type Style struct {
	Width int  // in columns; 0 means 80
	ASCII bool // no characters beyond ASCII
}

var ascii = strings.NewReplacer("→", "->", "÷", "/", "≈", "~", "–", "-", "…", "...", "“", `"`, "”", `"`, "’", "'", "×", "x", "∞", "inf")

func (s Style) finish(text string) string {
	if s.ASCII {
		return ascii.Replace(text)
	}
	return text
}

// List returns all entries as a table, those without a rule below. Status says
// in a word what is known of an entry's evidence.
func List(entries []catalogue.Entry, status func(catalogue.Entry) string, s Style) string {
	rules := [][]string{{"rule", "ids", "tier", "fix", "evidence", "what is wrong"}}
	rest := [][]string{{"no rule", "ids", "tier", "what is wrong"}}
	for _, e := range Sorted(entries) {
		r := e.Rule
		if e.Analyzer == nil {
			rest = append(rest, []string{r.Name, strings.Join(r.IDs, " "), string(r.Tier), r.Title})
		} else {
			rules = append(rules, []string{r.Name, strings.Join(r.IDs, " "), string(r.Tier), string(r.Fix), status(e), r.Title})
		}
	}
	var b strings.Builder
	for _, t := range [][][]string{rules, rest} {
		if len(t) == 1 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		for _, line := range align(t) {
			b.WriteString(line + "\n")
		}
	}
	fmt.Fprintf(&b, "\n%d rules, %d entries without one. pawl rules NAME says all of it, and why there is none.\n", len(rules)-1, len(rest)-1)
	return s.finish(b.String())
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

// Page returns all that is known of one entry. Measured says what its evidence
// gave here; "" for nothing.
func Page(e catalogue.Entry, measured string, s Style) string {
	if s.Width <= 0 {
		s.Width = 80
	}
	r := e.Rule
	var b strings.Builder
	para(&b, s, "", r.Name+": "+r.Title)
	b.WriteByte('\n')
	row := func(head, text string) { para(&b, s, fmt.Sprintf("  %-11s", head), text) }
	row("answers to", fmt.Sprintf("%s (seeds %s)", strings.Join(r.IDs, " "), strings.Join(r.Seeds, " ")))
	row("tier", fmt.Sprintf("%s: %s", r.Tier, tierText(r.Tier)))
	if e.Analyzer == nil {
		row("no rule", r.Missing)
	} else {
		row("fix", fmt.Sprintf("%s: %s", r.Fix, fixText(r.Fix)))
		row("Go", versions(r))
	}
	for _, part := range parts(r) {
		b.WriteByte('\n')
		para(&b, s, "", part.head+": "+part.text)
	}
	if text := claim(r); text != "" {
		b.WriteByte('\n')
		para(&b, s, "", "Evidence: "+text)
		if measured != "" {
			para(&b, s, "  ", measured)
		}
	}
	return s.finish(b.String())
}

// para writes text broken to the width, behind head and then as many blanks.
func para(b *strings.Builder, s Style, head, text string) {
	line, empty := head, true
	for _, word := range strings.Fields(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > s.Width {
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
