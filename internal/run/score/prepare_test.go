package score

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize"
)

// A real is a commit as real repositories have them.
type real struct {
	parent, fix map[string]string
	pkg, in     string // of the fix, and of the benchmark
	cell        string
	note        string
	packages    []string
	bench       string
	edits       []string // files that the fix changes, as it is tried
}

const (
	setsMod  = "module example.com/sets\n\ngo 1.24\n"
	benchMod = "module example.com/sets/bench\n\ngo 1.24\n\nrequire example.com/sets v1.0.0\n"
	faster   = "map[int]bool{}}"
)

func reals() map[string]real {
	quick := strings.Replace(sets, faster, "make(map[int]bool, len(keys))}", 1)
	sub := strings.NewReplacer("package sets", "package bench", `import "testing"`, "import (\n\t\"testing\"\n\n\t\"example.com/sets\"\n)", "New(", "sets.New(").Replace(setsTest)
	return map[string]real{
		"words": {
			parent: map[string]string{"go.mod": setsMod, "sets.go": sets, "sets_test.go": setsTest}, fix: map[string]string{"sets.go": quick},
			pkg: ".", in: ".", cell: "BenchmarkHas (as in the message of the commit)", note: "words beside BenchmarkHas: (as in", packages: []string{"."}, bench: "^BenchmarkHas$", edits: []string{"sets.go"},
		},
		"a benchmark in another module": {
			parent: map[string]string{"go.mod": setsMod, "sets.go": sets, "bench/go.mod": benchMod, "bench/has_test.go": sub}, fix: map[string]string{"sets.go": quick},
			pkg: ".", in: "bench", cell: "BenchmarkHas", note: "a go.work joins them", packages: []string{".", ".."}, bench: "^BenchmarkHas$", edits: []string{"sets.go"},
		},
		"a file that is deleted": {
			parent: map[string]string{"go.mod": setsMod, "sets.go": sets, "sets_test.go": setsTest, "old.go": "// Of old.\npackage sets\n\nfunc old() {}\n", "old_test.go": "package sets\n"},
			fix:    map[string]string{"sets.go": quick, "old.go": gone, "old_test.go": gone},
			pkg:    ".", in: ".", cell: "BenchmarkHas", packages: []string{"."}, bench: "^BenchmarkHas$", edits: []string{"old.go", "sets.go"},
		},
		"a benchmark of what only the fix has": {
			parent: map[string]string{"go.mod": setsMod, "sets.go": sets, "sets_test.go": setsTest},
			fix: map[string]string{
				"sets.go": quick + "\nfunc (s *Set) Len() int { return len(s.m) }\n", "len_test.go": strings.NewReplacer("BenchmarkHas", "BenchmarkLen", "s.Has(i)", "s.Len()").Replace(setsTest),
			},
			pkg: ".", in: ".", cell: "BenchmarkLen", note: "its own benchmarks judge instead: BenchmarkHas", packages: []string{"."}, bench: "^BenchmarkHas$", edits: []string{"sets.go"},
		},
		"a signature that the fix changes": {
			parent: map[string]string{
				"go.mod": setsMod, "sets.go": sets + "\nfunc size(keys []int) int { return len(keys) }\n", "sets_test.go": setsTest,
				"size_test.go": "package sets\n\nimport (\n\t\"slices\"\n\t\"testing\"\n)\n\nfunc TestSize(t *testing.T) {\n\tif size(slices.Repeat([]int{1}, 3)) != 3 {\n\t\tt.Fail()\n\t}\n}\n\nfunc TestLess(t *testing.T) {}\n",
			},
			fix: map[string]string{
				"sets.go":      quick + "\nfunc size(keys ...int) int { return len(keys) }\n",
				"size_test.go": "package sets\n\nimport \"testing\"\n\nfunc TestSize(t *testing.T) {\n\tif size(1, 2, 3) != 3 {\n\t\tt.Fail()\n\t}\n}\n\nfunc TestLess(t *testing.T) {}\n",
			},
			pkg: ".", in: ".", cell: "BenchmarkHas", note: "with the fix is left out on both sides: size_test.go (TestSize, import \"slices\")", packages: []string{"."}, bench: "^BenchmarkHas$", edits: []string{"sets.go"},
		},
		"a repository that cannot be tidied": {
			parent: map[string]string{
				"go.mod": setsMod + "\nreplace example.com/key => ./key\n", "key/go.mod": "module example.com/key\n\ngo 1.24\n", "key/key.go": "package key\n",
				"sets.go": strings.Replace(sets, "\n\n", "\n\nimport _ \"example.com/key\"\n\n", 1), "sets_test.go": setsTest, "other/other.go": "package other\n\nimport _ \"example.com/nowhere\"\n",
			},
			fix: map[string]string{"sets.go": quick},
			pkg: ".", in: ".", cell: "BenchmarkHas", note: "go get -t . was run", packages: []string{"."}, bench: "^BenchmarkHas$", edits: []string{"sets.go"},
		},
		"data that the fix changes": {
			parent: map[string]string{"go.mod": setsMod, "sets.go": sets, "sets_test.go": strings.Replace(setsTest, "[]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}", "first", 1) + "\nvar first = []int{1}\n"},
			fix:    map[string]string{"sets.go": quick, "sets_test.go": strings.Replace(setsTest, "[]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}", "first", 1) + "\nvar first = []int{1, 2}\n"},
			pkg:    ".", in: ".", cell: "BenchmarkHas", note: "stays as the parent has it", packages: []string{"."}, bench: "^BenchmarkHas$", edits: []string{"sets.go"},
		},
	}
}

// session makes a mirror of the commit, and its row.
func (r real) session(t *testing.T) (*session, Row) {
	mirrors := t.TempDir()
	from, to := history(t, filepath.Join(mirrors, "o+sets", "repo"), r.parent, r.fix)
	rows, err := ReadCorpus(strings.NewReader(head + strings.Join([]string{"sets", "example.com/o/sets", "", from, to, r.pkg + " (bench in " + r.in + ")", r.cell, "KEEP", ""}, "\t")))
	if err != nil || rows[0].Bad != "" {
		t.Fatal(err, rows)
	}
	opt := Options{
		Tool: "test", Corpus: filepath.Join(mirrors, "corpus.tsv"), Mirrors: mirrors, Budget: time.Minute, PerChange: 10 * time.Second, Alpha: 0.05, MinEffect: 0.03, Timeout: time.Minute,
		Seed: 1, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off"), CacheDir: t.TempDir(), Watch: testbed.Watched(nil), Now: time.Now,
	}
	return &session{opt: opt, out: &model.Score{}}, rows[0]
}

func TestPrepareReal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds")
	}
	for name, tt := range reals() {
		t.Run(name, func(t *testing.T) {
			sample.One(t, 3)
			s, row := tt.session(t)
			c, err := s.prepare(t.Context(), row, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if notes := strings.Join(c.notes, "\n"); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
				t.Errorf("notes: %s", notes)
			}
			if c.bench.pattern() != tt.bench || !slices.Equal(c.packages, tt.packages) {
				t.Errorf("%s in %v", c.bench.pattern(), c.packages)
			}
			opt, err := s.options(t.Context(), "try", row, c)
			if err != nil {
				t.Fatal(err)
			}
			l, err := optimize.Open(t.Context(), opt)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			change, err := l.Patch(t.Context(), c.patch, os.ReadFile)
			if err != nil {
				t.Fatal(err)
			}
			var files []string
			for _, e := range change.Edits {
				files = append(files, e.File)
			}
			slices.Sort(files)
			if files = slices.Compact(files); !slices.Equal(files, tt.edits) {
				t.Errorf("the fix changes %v", files)
			}
		})
	}
}

// What the go command fetches stands before what is wrong.
func TestBrokenParent(t *testing.T) {
	err := brokenParent("go: downloading example.com/a v1.0.0\ngo: downloading example.com/b v1.0.0\na.go:1: wrong\n")
	if got, want := err.Error(), "the parent does not build with this Go: a.go:1: wrong"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Where the go.mod was made, an import that no module provides may be the repository's own, by another path.
func TestLacking(t *testing.T) {
	const output = "a.go:3:2: no required module provides package example.com/old/b; to add it:\n\tgo get example.com/old/b\n"
	if got := (&checkout{}).lacking(output).Error(); strings.Contains(got, "module_path") {
		t.Errorf("the parent has a go.mod: %s", got)
	}
	err := (&checkout{made: "example.com/new"}).lacking(output)
	if got := err.Error(); !strings.Contains(got, "made for example.com/new") || !strings.Contains(got, "module_path") {
		t.Errorf("got %q", got)
	}
	if broken := new(unbuilt); !errors.As(err, &broken) {
		t.Errorf("%v is no *unbuilt", err)
	}
}
