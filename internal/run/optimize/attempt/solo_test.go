package attempt

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/state"
)

// answering opens a module whose one function is written by the second result.
func answering(t *testing.T) (m *state.Module, answer func(body string)) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	answer = func(body string) { write("a.go", "package a\n\nfunc Answer() int {"+body+"}\n") }
	write("go.mod", "module example.com/a\n\ngo 1.24\n")
	write("a_test.go", "package a\n\nimport \"testing\"\n\nvar sink int\n\nfunc BenchmarkAnswer(b *testing.B) {\n\tfor b.Loop() {\n\t\tsink += Answer()\n\t}\n}\n")
	answer("return 1")
	g, err := gocmd.New(t.Context(), gocmd.Config{Dir: dir, Env: os.Environ(), GOWORK: "off", State: t.TempDir(), Meter: gocmd.NewMeter(time.Now())})
	if err != nil {
		t.Fatal(err)
	}
	suite, err := bench.Prepare(t.Context(), g, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := g.List(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	return &state.Module{Checkout: &testbed.Checkout{Suite: suite, Go: g}, Pkgs: map[string]gocmd.Package{pkgs[0].ImportPath: pkgs[0]}, UserEnv: os.Environ(), Watch: testbed.Watched(nil)}, answer
}

// A change is dropped as the same code where it moves lines alone. What a string
// holds is no line.
func TestSameProgram(t *testing.T) {
	m, answer := answering(t)
	var base *state.State
	build := func(name, body string) *state.State {
		t.Helper()
		answer(body)
		v, err := m.Build(t.Context(), name, base)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	const body = "n := 0; for _, r := range \"abc\" { n += int(r) }; return n"
	base = build("base", body)
	for name, tt := range map[string]struct {
		body string
		want bool
	}{
		"again":     {body, true},
		"a comment": {"\n// A comment.\n\n" + body, true},
		"a string":  {strings.Replace(body, "abc", "abd", 1), false},
		"code":      {strings.Replace(body, "+=", "-=", 1), false},
	} {
		if got := build("c1", tt.body).Same(base); got != tt.want {
			t.Errorf("%s: the same %v, want %v", name, got, tt.want)
		}
	}
}

// What a change is confirmed against is built without it, also where nothing has
// been confirmed in its package yet: after a run went on, or in the second
// package of a run.
func TestStockBefore(t *testing.T) {
	m, write := answering(t)
	answer := func(n int) { write(fmt.Sprintf("return %d", n)) }
	const pkg = "example.com/a"
	bm := model.Benchmark{Pkg: pkg, Name: "BenchmarkAnswer"}
	p := &Prover{M: m, Plans: []model.Plan{{Benchmark: bm, N: 10}}}
	try := func(base *state.State) *Attempt {
		a := p.begin(model.Change{Targets: []model.Target{{Benchmark: bm}}}, Own(model.Change{}), time.Now())
		a.Base, a.Next, a.Verdicts = base, m.New("c1"), []model.Verdict{{Benchmark: bm}}
		return a
	}

	answer(2)
	if err := try(m.New("resumed")).Confirm(t.Context()); err == nil {
		t.Error("a candidate was compared with what was built from its own tree")
	}
	got := try(m.New("resumed"))
	answer(1)
	if err := got.stockBefore(t.Context()); err != nil {
		t.Fatal(err)
	}
	answer(2)
	if err := got.Confirm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if base, cand := got.Base.HasStock(pkg), got.Next.HasStock(pkg); base.Hash == cand.Hash {
		t.Error("both sides are of one tree")
	}
}
