package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/change/propose"
	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/catalogue/gen"
	"github.com/pawl-dev/pawl/rules/rule"
)

// These tests hold what the catalogue says about pawl to what pawl has: verbs,
// rules, transformations, and signatures of diagnose.

var (
	calls           = regexp.MustCompile(`\bpawl ([a-z][a-z-]*)((?: -[a-z-]+)*)`)
	namedRule       = regexp.MustCompile(`\bthe rule ([a-z]+)(?:[.,;:)]|$)`)
	transformations = regexp.MustCompile(`\btransformations? ([a-z-]+(?:(?:, | and )[a-z-]+)*)`)
)

// entryTexts are what an entry says that may speak of pawl.
func entryTexts(r rule.Rule) string {
	parts := []string{r.Title, r.Why, r.WhenNot, r.Gap, r.Signature, r.Missing}
	if r.Evidence != nil {
		parts = append(parts, r.Evidence.Claimed, r.Evidence.Exempt)
	}
	return strings.Join(parts, "\n")
}

// What an entry names is there.
func TestCatalogueNames(t *testing.T) {
	rules, flags := map[string]bool{}, map[string][]string{}
	for _, e := range catalogue.All() {
		rules[e.Rule.Name] = e.Analyzer != nil
	}
	for _, v := range verbs() {
		flags[v.name] = flagsOf(t, v.name)
	}
	check := func(where, text string) {
		for _, m := range calls.FindAllStringSubmatch(text, -1) {
			known, ok := flags[m[1]]
			if !ok {
				t.Errorf("%s: there is no verb %s: %q", where, m[1], m[0])
			}
			for _, f := range strings.Fields(m[2]) {
				if !slices.Contains(known, strings.TrimPrefix(f, "-")) {
					t.Errorf("%s: pawl %s has no flag %s", where, m[1], f)
				}
			}
		}
		for _, m := range namedRule.FindAllStringSubmatch(text, -1) {
			if !rules[m[1]] {
				t.Errorf("%s: there is no rule %s", where, m[1])
			}
		}
	}
	for _, e := range catalogue.All() {
		check(e.Rule.Name, entryTexts(e.Rule))
	}
	for _, line := range strings.Split(gen.Markdown(nil), "\n") {
		if strings.HasPrefix(line, "|") {
			check("docs/rules.md", line)
		}
	}
}

// An entry without a rule says truly who answers to it. Where a transformation
// lists its id, optimize does it, and the entry names that transformation.
// Where diagnose points to it, it says so.
func TestCatalogueIsTrue(t *testing.T) {
	byID, byName := map[string][]string{}, map[string]rule.Rule{}
	for _, r := range propose.Catalogue() {
		byName[r.Name] = r
		for _, id := range r.IDs {
			byID[id] = append(byID[id], r.Name)
		}
	}
	pointed := map[string]bool{}
	for _, s := range sign.All() {
		for _, name := range s.Rules {
			pointed[name] = true
		}
	}
	known := map[string]bool{}
	for _, e := range catalogue.All() {
		r := e.Rule
		for _, id := range r.IDs {
			known[id] = true
		}
		if e.Analyzer == nil {
			trueOfMissing(t, r, byID[r.IDs[0]], byName, pointed[r.Name])
		}
	}
	for id, names := range byID {
		if !known[id] {
			t.Errorf("the transformations %q answer to %s, which the catalogue does not have", names, id)
		}
	}
}

func trueOfMissing(t *testing.T, r rule.Rule, by []string, byName map[string]rule.Rule, pointed bool) {
	t.Helper()
	does := strings.HasPrefix(r.Missing, "pawl ")
	if !does && !regexp.MustCompile(`^(not yet|obsolete:|elsewhere:)`).MatchString(r.Missing) {
		t.Errorf("%s: the reason begins with neither pawl, not yet, obsolete: nor elsewhere: %q", r.Name, r.Missing)
	}
	var named []string
	for _, m := range transformations.FindAllStringSubmatch(r.Missing, -1) {
		named = append(named, regexp.MustCompile(`, | and `).Split(m[1], -1)...)
	}
	for _, name := range named {
		if !slices.Contains(byName[name].IDs, r.IDs[0]) {
			t.Errorf("%s: no transformation %s answers to %s", r.Name, name, r.IDs[0])
		}
	}
	for _, name := range by {
		if !does || !slices.Contains(named, name) {
			t.Errorf("%s: the transformation %s answers to %s, and the entry says %q", r.Name, name, r.IDs[0], r.Missing)
		}
	}
	if pointed && !does && !strings.Contains(r.Missing, "pawl diagnose") {
		t.Errorf("%s: pawl diagnose points here, and the entry says %q", r.Name, r.Missing)
	}
}
