package sign

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

// Each sign says all there is to say, and names rules that there are.
func TestSigns(t *testing.T) {
	known := map[string]bool{}
	for _, e := range catalogue.All() {
		known[e.Rule.Name] = true
	}
	for _, b := range byCall {
		if !known[b.rule] {
			t.Errorf("a call of %s stands for the rule %q, which there is not", b.call, b.rule)
		}
	}
	seen := map[string]bool{}
	for _, s := range All() {
		id := string(s.Kind) + " " + s.Name
		if seen[id] {
			t.Errorf("%s is there twice", id)
		}
		seen[id] = true
		if s.Kind == profile.KindUnknown || s.Title == "" || s.What == "" || s.Threshold <= 0 && s.Least <= 0 || s.Meaning == "" || s.Lever == "" || s.Before == "" || s.Gap == "" || len(s.Rules) == 0 {
			t.Errorf("%s leaves something out: %+v", id, s)
		}
		if s.Kind == Metrics && (s.Metric == "" || s.Unit == "" || s.Threshold <= 0) {
			t.Errorf("%s leaves out what is compared: %+v", id, s)
		}
		for _, name := range append(s.Rules, s.Always...) {
			if !known[name] {
				t.Errorf("%s names the rule %q, which there is not", id, name)
			}
		}
	}
}

// The tables in docs/diagnose.md and docs/metrics.md are those of the program.
// The levers are not in them: diagnose prints the lever of each sign that it shows.
// UPDATE=1 writes them.
func TestPages(t *testing.T) {
	onPage(t, "../../../docs/diagnose.md", "signatures", table())
	onPage(t, "../../../docs/metrics.md", "metrics", metricsTable())
}

func onPage(t *testing.T, page, name, table string) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(data), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no table between %q and %q", page, begin, end)
	}
	want := head + begin + table + end + tail
	if want == string(data) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("%s says other than the program; UPDATE=1 go test ./internal/explain/sign -run TestPages writes it", page)
	}
	if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}

func table() string {
	var b strings.Builder
	b.WriteString("| profile | signature | stands out from | what it is | rules |\n|---|---|---|---|---|\n")
	for _, s := range All() {
		if s.Kind == Metrics {
			continue
		}
		least := ""
		switch {
		case s.Least == 0:
		case s.Threshold == 0:
			least = fmt.Sprintf("%.0f", s.Least)
		case s.What == "time waited":
			least = fmt.Sprintf(" and %.0f ms", s.Least/1e6)
		case s.Kind == Command && s.Least >= 10e6 && s.Name != "memory":
			least = fmt.Sprintf(" and %.0f ms", s.Least/1e6)
		case strings.HasPrefix(s.What, "bytes"), strings.HasPrefix(s.What, "memory"):
			least = fmt.Sprintf(" and %.0f MiB", s.Least/(1<<20))
		default:
			least = fmt.Sprintf(" and %.0f", s.Least)
		}
		if s.Threshold > 0 {
			least = fmt.Sprintf("%.3g %%", 100*s.Threshold) + least
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", s.Kind, s.Name, least, s.Title, strings.Join(s.Rules, ", "))
	}
	return b.String()
}

func metricsTable() string {
	var b strings.Builder
	b.WriteString("| sign | what is compared | stands out from | what it is | rules |\n|---|---|---|---|---|\n")
	for _, s := range In(Metrics) {
		from := ""
		switch s.Unit {
		case "share":
			from = fmt.Sprintf("%.3g %%", 100*s.Threshold)
		case "s":
			from = fmt.Sprintf("%.3g ms", 1e3*s.Threshold)
		case "calls/s":
			from = fmt.Sprintf("%.0f/s", s.Threshold)
		default:
			from = fmt.Sprintf("%.4g %s", s.Threshold, s.Unit)
		}
		if s.Besides != "" {
			from += " and " + s.Besides
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", s.Name, s.What, from, s.Title, strings.Join(s.Rules, ", "))
	}
	return b.String()
}
