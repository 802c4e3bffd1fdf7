package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

func TestSubjects(t *testing.T) {
	all, err := subjects("")
	if err != nil {
		t.Fatal(err)
	}
	looked, names := 0, map[string]bool{}
	for _, s := range all {
		names[s.name()] = true
		if s.Looked {
			looked++
		}
	}
	if len(all) != corpusSize || len(names) != corpusSize || looked != corpusSize/2 {
		t.Errorf("%d modules with %d names, %d of them looked at", len(all), len(names), looked)
	}
}

func TestCostliest(t *testing.T) {
	const some = `
BenchmarkQuick 	    1000	      12.5 ns/op	       0 B/op
BenchmarkSlow  	       1	  30000000 ns/op
BenchmarkSub/a 	    1000	       100 ns/op
BenchmarkSub/b+c 	    1000	       200 ns/op
BenchmarkSub/d-e 	    1000	       150 ns/op
not a Benchmark 1 1 ns/op
`
	for output, want := range map[string]string{
		"":   "",
		some: `^BenchmarkSub$/^b\+c$|^BenchmarkQuick$`,
		"BenchmarkA 1 30000000 ns/op\nBenchmarkB 1 20000001 ns/op\n":                                                     "^BenchmarkB$",
		"BenchmarkA 9 5 ns/op\nBenchmarkB 9 4 ns/op\nBenchmarkC 9 3 ns/op\nBenchmarkD 9 2 ns/op\nBenchmarkE 9 1 ns/op\n": "^BenchmarkA$|^BenchmarkB$|^BenchmarkC$|^BenchmarkD$",
	} {
		if got := costliest(output); got != want {
			t.Errorf("%q: got %s, want %s", output, got, want)
		}
	}
}

func TestBenchmarkPackage(t *testing.T) {
	dir := t.TempDir()
	three := "import \"testing\"\n\nfunc BenchmarkA(*testing.B) {}\nfunc BenchmarkB(*testing.B) {}\nfunc BenchmarkC(*testing.B) {}\n"
	for name, text := range map[string]string{
		"x.go": "package x\n\n// " + strings.Repeat("\n// ", 100), "x_test.go": "package x\n\n" + strings.Replace(three, "BenchmarkC", "benchmarkC", 1),
		"small/s.go": "package s\n", "small/s_test.go": "package s\n\n" + three,
		"large/l.go": "package l\n\nfunc f() {}\n", "large/l_test.go": "package l\n\n" + three,
		"testdata/t.go": "package t\n\n\n\n\nfunc f() {}\n", "testdata/t_test.go": "package t\n\n" + three,
	} {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o777), os.WriteFile(at, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if got := benchmarkPackage(dir); got != "./large" {
		t.Errorf("got %q", got)
	}
}

func TestOwner(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/spf13/cobra": "github.com/spf13", "golang.org/x/text": "golang.org/x", "k8s.io/api": "k8s.io", "google.golang.org/grpc": "google.golang.org",
	} {
		if got := owner(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// Of the half that is only run, the tables show what was won and nothing else.
func TestTables(t *testing.T) {
	l := &lab{dir: t.TempDir()}
	all := []subject{{Module: "example.com/looked", Looked: true}, {Module: "example.com/only"}, {Module: "example.com/lost", Looked: true}}
	bm := model.Benchmark{Pkg: "p", Name: "BenchmarkP"}
	run := &model.Run{
		Plans: []model.Plan{{Benchmark: bm}},
		Targets: []model.Target{
			{Benchmark: bm, Resource: model.CPU, At: model.Pos{File: "hot.go", Line: 7}, Func: "example.com/p.F", Share: 0.5, Reason: model.Reason{Kind: model.ReasonLoop}, Skipped: "no transformation fits"},
			{Benchmark: bm, Resource: model.Allocs, At: model.Pos{File: "hot.go", Line: 7}, Func: "example.com/p.F", Share: 0.25, Reason: model.Reason{Kind: model.ReasonMake}, Skipped: "pool: it is kept"},
		},
		Attempts: []model.Attempt{
			{Change: model.Change{ID: "1", Kind: "pool", Title: "take b from a pool"}, Diff: "--- a/hot.go\n", Outcome: model.Kept, Reason: "allocs/op 4 → 1"},
			{Change: model.Change{ID: "2", Kind: "grow-once"}, Outcome: model.RolledBack, Reason: "no worthwhile effect"},
		},
		Results: []model.Result{{
			Benchmark: bm, Before: model.Stats{Allocs: 4}, After: model.Stats{Allocs: 1},
			Counts: []model.Exact{{Metric: "allocs/op", Before: 4, After: 1}}, Verdict: &model.Verdict{Answer: model.Faster, Change: -0.2},
		}},
	}
	for i, r := range []result{{Budget: 180, Run: run}, {Budget: 180, Run: run}, {Failed: "go: it does not build\nmore"}} {
		if err := l.save(all[i], r); err != nil {
			t.Fatal(err)
		}
	}
	results, err := l.entries(all)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := tables(&out, results); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "wins")
	if err := diffs(dir, results); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"example.com-looked", "example.com-only"} {
		if got, err := os.ReadFile(filepath.Join(dir, name+".diff")); string(got) != "take b from a pool (allocs/op 4 → 1)\n\n--- a/hot.go\n\n" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	looked, only, _ := strings.Cut(out.String(), "### Only run: wins")
	for _, want := range []string{
		"| example.com-looked | 1 | 1 | 2 | 2 | 1 | grow-once: no worthwhile effect |", "| example.com-looked | hot.go:7 | p.F | 50 % | 25 % | loop | none |",
		"| loop | no transformation fits | 50 % | – | example.com-looked |", "| make | refused by pool | – | 25 % | example.com-looked |",
		"could not be run: go: it does not build |", "3 of 3 modules, and 1 of them could not be run; budget 0 s, 180 s;",
	} {
		if !strings.Contains(looked, want) {
			t.Errorf("no %q in\n%s", want, looked)
		}
	}
	for _, half := range []string{looked, only} {
		for _, want := range []string{"| -20 % | 4 → 1 |", "1 of 1 modules have", "take b from a pool (allocs/op 4 → 1)"} {
			if !strings.Contains(half, want) {
				t.Errorf("no %q in\n%s", want, half)
			}
		}
	}
	if strings.Contains(only, "hot.go:7") || strings.Contains(looked, "example.com-only") {
		t.Errorf("the half that is only run is looked at:\n%s", out.String())
	}
}

func TestReplace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.md")
	text := "# Title\n\n" + beginMark + "old\n" + endMark + "\nEnd\n"
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := replace(name, "new\n"); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "# Title\n\n"+beginMark+"\nnew\n\n"+endMark+"\nEnd\n" {
		t.Errorf("%s", got)
	}
	if err := errors.Join(os.WriteFile(name, []byte("# Title\n"), 0o666), replace(name, "new\n")); err == nil {
		t.Error("a document without marks is taken")
	}
}

// A module that has its result is not run again, and one that cannot be run says why.
func TestResume(t *testing.T) {
	var log bytes.Buffer
	l := &lab{dir: t.TempDir(), pawl: "nowhere", log: &log}
	s := subject{Module: "example.com/there", Version: "not a version"}
	if err := l.subject(t.Context(), s, false); err != nil {
		t.Fatal(err)
	}
	if r, err := l.load(s); err != nil || r.Failed == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	log.Reset()
	if err := l.subject(t.Context(), s, true); err != nil || log.Len() > 0 {
		t.Errorf("it was run again: %v, %s", err, &log)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	other := subject{Module: "example.com/other", Version: "not a version"}
	if err := l.subject(ctx, other, true); err == nil {
		t.Error("an interrupt is no result")
	}
	if r, err := l.load(other); r != nil || err != nil {
		t.Errorf("an interrupt was saved: %+v, %v", r, err)
	}
}
