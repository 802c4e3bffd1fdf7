package diagnose

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/profile"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// Each signature says all there is to say, and names rules that there are.
func TestSignatures(t *testing.T) {
	known := map[string]bool{}
	for _, e := range catalogue.All() {
		known[e.Rule.Name] = true
	}
	seen := map[string]bool{}
	for _, s := range Signatures() {
		id := string(s.Kind) + " " + s.Name
		if seen[id] {
			t.Errorf("%s is there twice", id)
		}
		seen[id] = true
		if s.Kind == profile.KindUnknown || s.Title == "" || s.What == "" || s.Threshold <= 0 && s.Least <= 0 || s.Meaning == "" || s.Lever == "" || s.Before == "" || s.Gap == "" || len(s.Rules) == 0 {
			t.Errorf("%s leaves something out: %+v", id, s)
		}
		for _, name := range append(s.Rules, s.Always...) {
			if !known[name] {
				t.Errorf("%s names the rule %q, which there is not", id, name)
			}
		}
	}
	for _, b := range byCall {
		if !known[b.rule] {
			t.Errorf("a call of %s stands for the rule %q, which there is not", b.call, b.rule)
		}
	}
	for _, o := range order {
		if _, ok := signatureOf(profile.KindCPU, o.name); !ok {
			t.Errorf("stacks are given to %q, of which nothing is said", o.name)
		}
	}
}

// The table in docs/diagnose.md is that of the program. UPDATE=1 writes it.
func TestPage(t *testing.T) {
	const page, begin, end = "../../docs/diagnose.md", "<!-- signatures -->\n", "<!-- /signatures -->"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(data), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no table between %q and %q", page, begin, end)
	}
	want := head + begin + table() + end + tail
	if want == string(data) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("%s says other than the program; UPDATE=1 go test ./internal/diagnose -run TestPage writes it", page)
	}
	if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

func table() string {
	var b strings.Builder
	b.WriteString("| profile | signature | stands out from | what it is | lever | rules |\n|---|---|---|---|---|---|\n")
	for _, s := range Signatures() {
		least := ""
		switch {
		case s.Least == 0:
		case s.Threshold == 0:
			least = fmt.Sprintf("%.0f", s.Least)
		case s.What == "time waited":
			least = fmt.Sprintf(" and %.0f ms", s.Least/1e6)
		case s.Kind == ofRun && s.Least >= 10e6 && s.Name != beyondHeap:
			least = fmt.Sprintf(" and %.0f ms", s.Least/1e6)
		case strings.HasPrefix(s.What, "bytes"), strings.HasPrefix(s.What, "memory"):
			least = fmt.Sprintf(" and %.0f MiB", s.Least/(1<<20))
		default:
			least = fmt.Sprintf(" and %.0f", s.Least)
		}
		if s.Threshold > 0 {
			least = fmt.Sprintf("%.3g %%", 100*s.Threshold) + least
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %s |\n", s.Kind, s.Name, least, s.Title, s.Lever, strings.Join(s.Rules, ", "))
	}
	return b.String()
}
