// Package gen shows the catalogue: as a list, as the page of one entry, as
// JSON, and as docs/rules.md; and it finds entries by what a user types.
package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

// An UnknownError is a name that no entry has.
type UnknownError struct {
	Name string
	Near []string // names that are like it
}

func (u *UnknownError) Error() string {
	s := fmt.Sprintf("no rule %q", u.Name)
	if len(u.Near) > 0 {
		s += "; did you mean " + strings.Join(u.Near, ", ") + "?"
	}
	return s + "; pawl rules lists all"
}

// Find returns the entries that a word names: one by its name, or all that
// answer to an id, in capitals or not.
func Find(entries []catalogue.Entry, word string) ([]catalogue.Entry, error) {
	var out []catalogue.Entry
	word = strings.TrimPrefix(word, "pawl/") // as in a suppression
	for _, e := range entries {
		if strings.EqualFold(e.Rule.Name, word) || slices.Contains(e.Rule.IDs, strings.ToUpper(word)) {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return nil, &UnknownError{Name: word, Near: near(entries, strings.ToLower(word))}
	}
	return out, nil
}

// most is how many names an UnknownError offers.
const most = 3

// near returns the names that are most like word: those that hold it, or that
// few changes of a letter make it.
func near(entries []catalogue.Entry, word string) []string {
	type candidate struct {
		name string
		away int
	}
	var all []candidate
	for _, e := range entries {
		c := candidate{e.Rule.Name, distance(e.Rule.Name, word)}
		if len(word) > 2 && strings.Contains(c.name, word) {
			c.away = 1
		}
		if c.away <= max(2, len(word)/3) && c.away < len(word) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.away - b.away })
	var out []string
	for _, c := range all[:min(most, len(all))] {
		out = append(out, c.name)
	}
	return out
}

// distance is the number of letters to be put in, taken out or changed to make
// b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Sorted returns the entries in the order of the ids that they answer to.
func Sorted(entries []catalogue.Entry) []catalogue.Entry {
	out := slices.Clone(entries)
	slices.SortStableFunc(out, func(a, b catalogue.Entry) int {
		return slices.Compare(append(slices.Sorted(slices.Values(a.Rule.IDs)), a.Rule.Name), append(slices.Sorted(slices.Values(b.Rule.IDs)), b.Rule.Name))
	})
	return out
}

// An Item is an entry in JSON.
type Item struct {
	Name      string     `json:"name"`
	Title     string     `json:"title"`
	IDs       []string   `json:"ids"`
	Seeds     []string   `json:"seeds"`
	Tier      rule.Tier  `json:"tier"`
	Fix       rule.Class `json:"fix,omitempty"`
	Go        string     `json:"go,omitempty"`
	GoLine    bool       `json:"go_line,omitempty"`
	Until     string     `json:"until,omitempty"`
	Why       string     `json:"why"`
	WhenNot   string     `json:"when_not,omitempty"`
	Gap       string     `json:"gap,omitempty"`
	Signature string     `json:"signature"`
	Missing   string     `json:"missing,omitempty"` // why there is no analyzer
	Evidence  *Claim     `json:"evidence,omitempty"`
}

// A Claim is the evidence of an Item.
type Claim struct {
	Bench   string  `json:"bench,omitempty"`
	Metric  string  `json:"metric,omitempty"`
	Claimed string  `json:"claimed,omitempty"`
	Ratio   float64 `json:"ratio,omitempty"`
	Exempt  string  `json:"exempt,omitempty"` // why there is none
}

// Of returns the Item of an entry.
func Of(e catalogue.Entry) Item {
	r := e.Rule
	it := Item{
		Name: r.Name, Title: r.Title, IDs: r.IDs, Seeds: r.Seeds, Tier: r.Tier, Fix: r.Fix, Go: r.Go, GoLine: r.GoLine, Until: r.Until,
		Why: r.Why, WhenNot: r.WhenNot, Gap: r.Gap, Signature: r.Signature, Missing: r.Missing,
	}
	if ev := r.Evidence; ev != nil {
		it.Evidence = &Claim{Bench: ev.Bench, Metric: ev.Metric, Claimed: ev.Claimed, Ratio: ev.Ratio, Exempt: ev.Exempt}
	}
	return it
}

// versions says for which Go versions a rule holds: the file's, or those of
// what else decides.
func versions(r rule.Rule) string {
	var out []string
	if r.Go != "" {
		from := "from " + r.Go
		if r.GoLine {
			from += " in go.mod"
		}
		out = append(out, from)
	}
	if r.Until != "" {
		out = append(out, "to the toolchain "+r.Until)
	}
	if len(out) == 0 {
		return "any"
	}
	return strings.Join(out, ", ")
}

// tierText says what a tier means.
func tierText(t rule.Tier) string {
	switch t {
	case rule.Always:
		return "wrong wherever it stands"
	case rule.Profiled:
		return "shown where a profile says that the line is hot"
	case rule.Special:
		return "only when the design calls for it"
	case rule.Obsolete:
		return "true once; explained, never proposed"
	}
	return ""
}

// fixText says what a fix class means.
func fixText(c rule.Class) string {
	switch c {
	case rule.A:
		return "proven to keep behaviour"
	case rule.B:
		return "offered; has to pass tests and measurement"
	case rule.N:
		return "none, a report only"
	}
	return ""
}
