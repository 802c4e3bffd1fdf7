package record

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

func sample(n int64, allocs, bytes uint64) model.Sample {
	return model.Sample{N: n, Allocs: allocs, Bytes: bytes}
}

// What is allocated once in a slice is no part of an op, and a count that
// varies is given as what was seen.
func TestCountRange(t *testing.T) {
	pair := func(a, b model.Sample) [2]model.Sample { return [2]model.Sample{a, b} }
	same := [][2]model.Sample{pair(sample(100, 307, 3<<20), sample(100, 307, 3<<20)), pair(sample(100, 307, 3<<20), sample(100, 307, 3<<20))}
	half := pair(sample(50, 157, 2<<20), sample(50, 157, 2<<20))
	counts := verdict.Counts(same, 1)
	if r := countRange(counts[0], same, half); r.Lo != 3 || r.Hi != 3 || r.Tolerance != counts[0].Tolerance {
		t.Errorf("%+v, want 3", r)
	}
	if r := countRange(counts[1], same, half); r.Lo != (1<<20)/50. {
		t.Errorf("%+v, want 1 MiB in 50 ops", r)
	}
	varied := [][2]model.Sample{pair(sample(100, 320, 0), sample(100, 350, 0)), pair(sample(100, 310, 0), sample(100, 390, 0))}
	e := verdict.Counts(varied, 1)[0]
	if !e.Noisy {
		t.Fatalf("%+v", e)
	}
	if r := countRange(e, varied, half); r.Lo != 3.1 || r.Hi != 3.9 {
		t.Errorf("%+v, want 3.1 to 3.9", r)
	}
}

func TestCommand(t *testing.T) {
	for _, tt := range []struct{ pkg, pattern, want string }{
		{"example.com/m", "^BenchmarkX$", `go test -run '^$' -bench '^BenchmarkX$' -benchmem .`},
		{"example.com/m/wire", "it's", `go test -run '^$' -bench 'it'\''s' -benchmem ./wire`},
		{"example.com/mother", "X", `go test -run '^$' -bench 'X' -benchmem example.com/mother`},
	} {
		if got := command("example.com/m", tt.pkg, tt.pattern); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

// A record that asks for nothing asks that allocations stay, unless they do not
// stay by themselves.
func TestStandard(t *testing.T) {
	of := func(figures ...hotpath.Figure) hotpath.Measured {
		return hotpath.Measured{Figures: []hotpath.Figures{{Benchmark: "BenchmarkX", Values: figures}}}
	}
	got := standard(of(hotpath.Figure{Metric: hotpath.Allocs, Value: 3}))
	if len(got) != 1 || got[0].String() != "allocs/op <= recorded" {
		t.Errorf("%v", got)
	}
	if got := standard(of(hotpath.Figure{Metric: hotpath.Allocs, Value: 3.2, Varies: true})); got != nil {
		t.Errorf("%v", got)
	}
	if got := standard(of()); got != nil {
		t.Errorf("%v", got)
	}
}

func TestBegin(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "perf", "records")
	old := hotpath.Record{
		Name: "x", Place: hotpath.Place{Pkg: "m"}, Pkg: "m", Bench: "X", Why: "because",
		Guards: []hotpath.Guard{{Name: "a", Timeout: hotpath.DefaultTimeout, Command: "true"}},
	}
	if _, err := hotpath.Save(dir, old); err != nil {
		t.Fatal(err)
	}
	w := Wish{Name: "x", Why: "for another reason"}
	r, before, err := begin(dir, &w)
	if err != nil || before == nil || r.Why != "for another reason" || len(r.Guards) != 1 || w.Bench != "X" || !cmp.Equal(w.Patterns, []string{"m"}) {
		t.Errorf("%+v, %+v, %+v, %v", r, before, w, err)
	}
	if before != nil && before.Why != "because" {
		t.Errorf("what it was is %q", before.Why)
	}
	// Another pattern may be of another package: that of the current directory.
	w = Wish{Name: "x", Bench: "Y"}
	if _, _, err := begin(dir, &w); err != nil || w.Patterns != nil {
		t.Errorf("%+v, %v", w, err)
	}
	var use *testbed.UsageError
	for _, w := range []Wish{{Name: "new"}, {Name: "a/b", Bench: "."}, {}} {
		if _, _, err := begin(dir, &w); !errors.As(err, &use) {
			t.Errorf("%+v: %v", w, err)
		}
	}
}

func TestPick(t *testing.T) {
	all := []hotpath.Record{{Name: "a"}, {Name: "b"}}
	got, err := pick(all, []string{"b", "b"})
	if err != nil || len(got) != 1 || got[0].Name != "b" {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := pick(all, nil); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := pick(all, []string{"c"}); err == nil || !strings.Contains(err.Error(), "there are a, b") {
		t.Errorf("%v", err)
	}
}

// A record that was just written is no edit of the tree that it was taken on.
func TestEdited(t *testing.T) {
	for file, want := range map[string]bool{"sub/perf/records/a.txt": false, "sub/a.go": true, "perf/records/a.txt": true} {
		p := &tree.Place{Root: "/r", Module: "/r/sub", DirtyFiles: map[string]bool{file: true}}
		if edited(p) != want {
			t.Errorf("%s: %v", file, !want)
		}
	}
	if edited(&tree.Place{Root: "/r", Module: "/r"}) {
		t.Error("nothing is dirty")
	}
}
