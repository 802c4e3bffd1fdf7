package gen

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/rules/catalogue"
)

var ascii = strings.NewReplacer("→", "->", "÷", "/", "≈", "~", "–", "-", "…", "...", "“", `"`, "”", `"`, "’", "'", "×", "x", "∞", "inf")

func finish(text string, s Style) string {
	if s.ASCII {
		return ascii.Replace(text)
	}
	return text
}

// List returns all entries as a table, those without a rule below. Status says
// in a word what is known of an entry's evidence. Without a width, each entry is one line.
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
		for i, line := range align(t) {
			last := t[i][len(t[i])-1]
			if s.Width > 0 && utf8.RuneCountInString(line) > s.Width {
				s.para(&b, strings.TrimSuffix(line, last), last)
				continue
			}
			b.WriteString(line + "\n")
		}
	}
	fmt.Fprintf(&b, "\n%d rules, %d entries without one. pawl rules NAME says all of it, and why there is none.\n", len(rules)-1, len(rest)-1)
	return finish(b.String(), s)
}

// Page returns all that is known of one entry. Signs are what pawl diagnose names it for,
// and measured is what its evidence gave here; none and "" for nothing.
func Page(e catalogue.Entry, signs []string, measured string, s Style) string {
	if s.Width <= 0 {
		s.Width = 80
	}
	r := e.Rule
	var b strings.Builder
	s.para(&b, "", r.Name+": "+r.Title)
	if bad, good := Example(r); bad != "" {
		fmt.Fprintf(&b, "\n%s\n\n  =>\n\n%s\n", indented(bad), indented(orGone(good)))
	}
	b.WriteByte('\n')
	row := func(head, text string) { s.para(&b, fmt.Sprintf("  %-11s", head), text) }
	row("answers to", strings.Join(r.IDs, " "))
	row("tier", fmt.Sprintf("%s: %s", r.Tier, tierText(r.Tier)))
	if e.Analyzer == nil {
		row("no rule", r.Missing)
	} else {
		row("fix", fmt.Sprintf("%s: %s", r.Fix, fixText(r.Fix)))
		row("Go", versions(r))
	}
	for _, part := range parts(r) {
		b.WriteByte('\n')
		s.para(&b, "", part.head+": "+part.text)
	}
	if len(signs) > 0 {
		b.WriteByte('\n')
		s.para(&b, "", "pawl diagnose names it, with the lines, where it sees this: "+strings.Join(signs, "; ")+".")
	}
	if text := claim(r); text != "" {
		b.WriteByte('\n')
		s.para(&b, "", "Evidence: "+text)
		if measured != "" {
			s.para(&b, "  ", measured)
		}
	}
	return finish(b.String(), s)
}

// indented is code as it stands in a text.
func indented(code string) string {
	return "    " + strings.ReplaceAll(strings.ReplaceAll(code, "\t", "    "), "\n", "\n    ")
}
