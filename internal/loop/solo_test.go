package loop

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// What a change is confirmed against is built without it, also where nothing has
// been confirmed in its package yet: after a run went on, or in the second
// package of a run.
func TestStockBefore(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	answer := func(n int) { write("a.go", fmt.Sprintf("package a\n\nfunc Answer() int { return %d }\n", n)) }
	write("go.mod", "module example.com/a\n\ngo 1.24\n")
	write("a_test.go", "package a\n\nimport \"testing\"\n\nvar sink int\n\nfunc BenchmarkAnswer(b *testing.B) {\n\tfor b.Loop() {\n\t\tsink += Answer()\n\t}\n}\n")
	answer(1)
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
	pkg := pkgs[0]
	bm := model.Benchmark{Pkg: pkg.ImportPath, Name: "BenchmarkAnswer"}
	of := func(name string) *version { return &version{name: name, stock: make(map[string]*bench.Binary)} }
	s := &Session{
		Run: &model.Run{Plans: []model.Plan{{Benchmark: bm, N: 10}}}, suite: suite,
		pkgs: map[string]gocmd.Package{pkg.ImportPath: pkg}, now: of("resumed"),
	}
	c := model.Change{Targets: []model.Target{{Benchmark: bm}}}
	try := func() *tried {
		return &tried{Attempt: model.Attempt{Change: c, Verdicts: []model.Verdict{{Benchmark: bm}}}, next: of("c1")}
	}

	answer(2)
	if err := s.solo(t.Context(), try()); err == nil {
		t.Error("a candidate was compared with what was built from its own tree")
	}
	s.now = of("resumed")
	answer(1)
	if err := s.stockBefore(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	answer(2)
	got := try()
	if err := s.solo(t.Context(), got); err != nil {
		t.Fatal(err)
	}
	if base, cand := s.now.stock[pkg.ImportPath], got.next.stock[pkg.ImportPath]; base.Hash == cand.Hash {
		t.Error("both sides are of one tree")
	}
}
