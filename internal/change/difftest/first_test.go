package difftest

import (
	"context"
	"os/exec"
	"regexp"
	"slices"
	"testing"
)

// With the race detector, tests that are known to call a function come first: there may be no time for others.
func TestFirst(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	const text = "package m\n\nfunc F(n int) int { return n }\n"
	const tests = "package m\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n\nfunc TestB(t *testing.T) { F(1) }\n\nfunc TestC(t *testing.T) { t.Run(\"sub\", func(t *testing.T) { F(2) }) }\n"
	m := newModule(t, map[string]string{"m.go": text, "m_test.go": tests}, map[string]string{"m.go": "package m\n\nfunc F(n int) int { return 0 + n }\n"})
	p := m.plan(t)
	if err := p.Build(context.Background()); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(p.bins["example.com/m"].plain, "-test.v", "-test.run=.")
	cmd.Env = append(cmd.Environ(), "PAWL_DRIVE_FIRST=TestC\nTestB")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, m := range regexp.MustCompile(`(?m)^=== RUN +(\w+)$`).FindAllSubmatch(out, -1) {
		order = append(order, string(m[1]))
	}
	if want := []string{"TestB", "TestC", "TestA"}; !slices.Equal(order, want) {
		t.Errorf("%v, want %v", order, want)
	}
	e, err := (&runner{Plan: p, first: map[string]map[string]bool{}}).start(context.Background(), &session{job: job{pkg: m.cfg.Tests[0], bin: p.bins["example.com/m"].plain, mode: modePairs}}, m.cfg.Budget)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range e.records {
		if rec.Func != nil && rec.Func.First != "TestB" {
			t.Errorf("the first input is said to be of %q", rec.Func.First)
		}
	}
}
