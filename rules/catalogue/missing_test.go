package catalogue

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/rules/rule"
)

// ids returns all ids of the catalogue.
func ids() []string {
	var out []string
	for _, g := range []struct {
		letter string
		n      int
	}{{"B", 11}, {"C", 75}, {"P", 8}} {
		for i := range g.n {
			out = append(out, fmt.Sprintf("%s%02d", g.letter, i+1))
		}
	}
	return out
}

// Each entry without an analyzer says what it is about and why it has none.
func TestMissing(t *testing.T) {
	name, seed := regexp.MustCompile(`^[a-z][a-z0-9]+$`), regexp.MustCompile(`^00[0-4]$`)
	seen := make(map[string]bool)
	last := ""
	for _, e := range missing() {
		r := e.Rule
		if e.Analyzer != nil || r.Evidence != nil || r.Fix != "" {
			t.Errorf("%s: an entry without a rule has no analyzer, no evidence and no fix class", r.Name)
		}
		if !name.MatchString(r.Name) || seen[r.Name] {
			t.Errorf("the name %q does not do, or is there twice", r.Name)
		}
		seen[r.Name] = true
		for what, text := range map[string]string{"Title": r.Title, "Why": r.Why, "Signature": r.Signature, "Missing": r.Missing} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: %s is empty", r.Name, what)
			}
		}
		if !slices.Contains([]rule.Tier{rule.Always, rule.Profiled, rule.Special, rule.Obsolete}, r.Tier) {
			t.Errorf("%s: tier %q", r.Name, r.Tier)
		}
		if obsolete := strings.HasPrefix(r.Missing, "obsolete"); obsolete != (r.Tier == rule.Obsolete) {
			t.Errorf("%s: tier %s, and missing because %q", r.Name, r.Tier, r.Missing)
		}
		if len(r.IDs) != 1 || !slices.Contains(ids(), r.IDs[0]) || r.IDs[0] <= last {
			t.Errorf("%s: ids %q after %s", r.Name, r.IDs, last)
		}
		last = r.IDs[0]
		for _, s := range r.Seeds {
			if !seed.MatchString(s) {
				t.Errorf("%s: seed %q", r.Name, s)
			}
		}
		if len(r.Seeds) == 0 {
			t.Errorf("%s comes from no seed", r.Name)
		}
	}
}

// Once the missing entries are part of the catalogue, it answers to every id,
// and no name is there twice.
func TestComplete(t *testing.T) {
	answered, names := make(map[string][]string), make(map[string]bool)
	for _, e := range All() {
		for _, id := range e.Rule.IDs {
			answered[id] = append(answered[id], e.Rule.Name)
		}
		if names[e.Rule.Name] {
			t.Errorf("%s is there twice", e.Rule.Name)
		}
		names[e.Rule.Name] = true
		if (e.Analyzer == nil) != (e.Rule.Missing != "") {
			t.Errorf("%s has an analyzer or says why not", e.Rule.Name)
		}
	}
	if len(answered["P01"]) == 0 {
		t.Skip("All does not hold the missing entries")
	}
	for _, id := range ids() {
		if len(answered[id]) == 0 {
			t.Errorf("no entry answers to %s", id)
		}
	}
	for _, e := range missing() {
		if by := answered[e.Rule.IDs[0]]; len(by) > 1 {
			t.Errorf("%s is missing, and yet %q answer to it", e.Rule.IDs[0], by)
		}
	}
}

// What has no entry as missing is what rules are being written for.
func TestMissingIsTheRest(t *testing.T) {
	const core = "B10 C01 C02 C03 C04 C05 C06 C07 C08 C09 C10 C11 C12 C13 C14 C15 C16 C17 C18 C19 C20 C21 C22 C23 C24 C25 C26 C27 C29 C30 C31 C33 C34 C35 C36 " +
		"C37 C38 C39 C40 C41 C42 C43 C44 C45 C46 C47 C48 C49 C50 C51 C52 C53 C54 C56 C57 C58 C59 C60 C61 C62 C63 C64 C65 C66 C67 C68 C69 C70 C71 " +
		"C72 C73 C74 C75"
	rest := strings.Fields(core)
	for _, e := range missing() {
		rest = append(rest, e.Rule.IDs...)
	}
	slices.Sort(rest)
	rest = slices.Compact(rest) // a rule that came to nothing is missing too
	if want := ids(); !slices.Equal(rest, want) {
		t.Errorf("core and missing together are %d ids, want %d:\n%q\n%q", len(rest), len(want), rest, want)
	}
}
