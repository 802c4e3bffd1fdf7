package gen

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

// entries returns one of each kind, not in order.
func entries() []catalogue.Entry {
	a := new(analysis.Analyzer)
	return []catalogue.Entry{
		{Analyzer: a, Rule: rule.Rule{
			Name: "splitcut", Title: "strings.Split for the first", IDs: []string{"C75"}, Seeds: []string{"000"}, Tier: rule.Always, Fix: rule.A, Go: "go1.18",
			Why: "a slice | of *all*", Signature: "genSplit", Evidence: &rule.Evidence{Bench: "BenchmarkX", Metric: "cpu", Claimed: "faster", Ratio: 5.57},
		}},
		{Rule: rule.Rule{Name: "goroutines", Title: "a count", IDs: []string{"C55"}, Tier: rule.Obsolete, Why: "It was.", Signature: "none", Missing: "obsolete: it is cheap"}},
		{Rule: rule.Rule{Name: "tempbuffer", Title: "a buffer", IDs: []string{"C04"}, Tier: rule.Profiled, Why: "It costs.", Signature: "a|b", Missing: "not|yet"}},
		{Analyzer: a, Rule: rule.Rule{Name: "waits", Title: "it waits", IDs: []string{"C50", "C49"}, Tier: rule.Special, Fix: rule.N, Evidence: &rule.Evidence{Exempt: "it waits"}}},
	}
}

func TestFind(t *testing.T) {
	for word, want := range map[string]string{"splitcut": "splitcut", "SplitCut": "splitcut", "pawl/splitcut": "splitcut", "c75": "splitcut", "C49": "waits"} {
		got, err := Find(entries(), word)
		if err != nil || len(got) != 1 || got[0].Rule.Name != want {
			t.Errorf("%s: %v, %v", word, got, err)
		}
	}
	for word, want := range map[string][]string{
		"splitcat": {"splitcut"}, "buffer": {"tempbuffer"}, "split": {"splitcut"}, "wait": {"waits"}, "C99": nil, "x": nil, "": nil, "nothinglikeit": nil,
	} {
		_, err := Find(entries(), word)
		var unknown *UnknownError
		if !errors.As(err, &unknown) || !slices.Equal(unknown.Near, want) {
			t.Errorf("%q: %v; want near %q", word, err, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"cut", "cat", 1}, {"cut", "cuts", 1}, {"kitten", "sitting", 3}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	got := List(entries(), func(catalogue.Entry) string { return "–" }, Style{ASCII: true})
	const want = `rule      ids      tier     fix  evidence  what is wrong
waits     C50 C49  special  N    -         it waits
splitcut  C75      always   A    -         strings.Split for the first

no rule     ids  tier      what is wrong
tempbuffer  C04  profiled  a buffer
goroutines  C55  obsolete  a count

2 rules, 2 entries without one. pawl rules NAME says all of it, and why there is none.
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPage(t *testing.T) {
	got := Page(entries()[0], []string{"growing stacks"}, "Measured here: holds.", Style{})
	for _, line := range []string{
		"pawl diagnose names it, with the lines, where it sees this: growing stacks.\n",
		"splitcut: strings.Split for the first\n", "  Go         from go1.18\n", "Evidence: BenchmarkX (cpu, 5.57x claimed): faster\n  Measured here: holds.\n"} {
		if !strings.Contains(got, line) {
			t.Errorf("%q is missing in\n%s", line, got)
		}
	}
	got = Page(entries()[1], nil, "", Style{})
	if !strings.Contains(got, "  no rule    obsolete: it is cheap\n") || strings.Contains(got, "Evidence") || strings.Contains(got, "fix") {
		t.Errorf("got\n%s", got)
	}
}

func TestMarkdown(t *testing.T) {
	got := Markdown(entries())
	for _, line := range []string{
		"| [splitcut](#splitcut) | C75 | always | A | from go1.18 | strings.Split for the first |\n",
		"\n## splitcut\n", "**Why.** A slice | of \\*all\\*.\n", "**Evidence.** None, since it waits.\n",
		"<a id=\"goroutines\"></a>**goroutines** (C55): A count. It was. Obsolete: it is cheap.\n",
		"| <a id=\"tempbuffer\"></a>tempbuffer | C04 | profiled | a buffer | not\\|yet |\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("%q is missing in\n%s", line, got)
		}
	}
}

func TestChanged(t *testing.T) {
	for _, tt := range []struct{ bad, good, want string }{
		{"a\n\tb\nc", "a\n\tx\n\ty\nc", " a\n-\tb\n+\tx\n+\ty\n c\n"},
		{"a\n\nb", "a\n\nb\nc", " a\n\n b\n+c\n"},
		{"a\nb", "", "-a\n-b\n"},
	} {
		if got := changed(tt.bad, tt.good); got != tt.want {
			t.Errorf("%q, %q: %q", tt.bad, tt.good, got)
		}
	}
}

func TestOf(t *testing.T) {
	it := Of(entries()[0])
	if it.Evidence == nil || it.Evidence.Ratio != 5.57 || it.Fix != rule.A {
		t.Errorf("%+v", it)
	}
	if it := Of(entries()[2]); it.Evidence != nil || it.Missing != "not|yet" {
		t.Errorf("%+v", it)
	}
}

// The page of each rule that finds something shows the code before and after right under
// the title, then where the rule comes from, when it does not hold, what to look out for,
// and what was measured here.
func TestEachPage(t *testing.T) {
	for _, e := range catalogue.All() {
		if e.Analyzer == nil {
			continue
		}
		const measured = "Measured here: as it may be."
		page := Page(e, nil, measured, Style{Width: 80})
		parts := []string{e.Rule.Name + ": ", "\n\n    ", "\n  =>\n", "\n  answers to ", "\nWhy: ", "\nWhen not: ", "\nWhat it does not keep or see: ", "\nEvidence: "}
		if e.Rule.Evidence == nil || e.Rule.Evidence.Exempt == "" {
			parts = append(parts, "\n  "+measured)
		}
		rest := page
		for _, part := range parts {
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				t.Errorf("%s: %q is missing, or in another place:\n%s", e.Rule.Name, part, page)
				break
			}
			rest = after
		}
	}
}

// Each rule shows the code that it is about.
func TestExamples(t *testing.T) {
	for _, e := range catalogue.All() {
		if bad, _ := Example(e.Rule); e.Analyzer != nil && bad == "" {
			t.Errorf("%s has no example: its evidence has no before.go, or the same declarations on both sides", e.Rule.Name)
		}
	}
}
