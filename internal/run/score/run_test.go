package score

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
)

// Two small histories. pages has a benchmark that comes with the fix, and a test
// that no longer compiles; sets has no go.mod, and its benchmark does not run
// what the fix changes.
const (
	pages = `package pages

import "fmt"

type Page struct {
	ID    uint64
	Flags uint16
}

func Sum(pages []Page) int {
	n := 0
	for i := range pages {
		n += pages[i].check(uint64(i) + 1000)
	}
	return n
}

func (p *Page) check(id uint64) int {
	assert(p.ID == id, "page %d stands where %d should be", p.ID, id)
	return int(p.Flags)
}

func assert(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(format, args...))
	}
}
`
	assertion = `assert(p.ID == id, "page %d stands where %d should be", p.ID, id)`
	pagesTest = `package pages

import "testing"

func TestSum(t *testing.T) {
	if Sum([]Page{{1000, 1}, {1001, 2}}) != 3 {
		t.Error("wrong sum")
	}
}

func TestGone(t *testing.T) { goneLongAgo() }
`
	pagesBench = `package pages

import "testing"

func BenchmarkSum(b *testing.B) {
	pages := make([]Page, size)
	for i := range pages {
		pages[i] = Page{uint64(i) + 1000, 1}
	}
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		Sum(pages)
	}
}

const size = 64
`
	sets = `package sets

type Set struct{ m map[int]bool }

func New(keys []int) *Set {
	s := &Set{m: map[int]bool{}}
	for _, k := range keys {
		s.m[k] = true
	}
	return s
}

func (s *Set) Has(k int) bool { return s.m[k] }
`
	setsTest = `package sets

import "testing"

func BenchmarkHas(b *testing.B) {
	s := New([]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	for i := 0; i < b.N; i++ {
		s.Has(i)
	}
}
`
)

const gone = "gone"

// history makes a bare mirror of two commits and returns their ids. A file whose
// text is gone is one that the fix deletes.
func history(t *testing.T, mirror string, parent, fix map[string]string) (from, to string) {
	t.Helper()
	dir := t.TempDir()
	put := func(files map[string]string) error {
		for name, text := range files {
			at := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
				return err
			}
		}
		return nil
	}
	ctx := t.Context()
	if err := put(parent); err != nil {
		t.Fatal(err)
	}
	if err := tree.NewRepository(ctx, dir, "parent"); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, files := range []map[string]string{parent, fix} {
		for name, text := range files {
			all[name] = text
			if text == gone {
				delete(all, name)
			}
		}
	}
	if err := tree.ReplaceAll(ctx, dir, "fix", func() error { return put(all) }); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "clone", "--quiet", "--bare", dir, mirror).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	m, err := tree.OpenMirror(ctx, mirror)
	if err != nil {
		t.Fatal(err)
	}
	if to, err = m.Commit(ctx, "HEAD"); err != nil {
		t.Fatal(err)
	}
	if from, err = m.Commit(ctx, "HEAD~1"); err != nil {
		t.Fatal(err)
	}
	return from, to
}

func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures")
	}
	sample.Rest(t, "optimizes two modules")
	mirrors := t.TempDir()
	pagesFrom, pagesTo := history(t, filepath.Join(mirrors, "o+pages", "repo"),
		map[string]string{"go.mod": "module example.com/pages\n\ngo 1.24\n", "pages.go": pages, "pages_test.go": pagesTest},
		map[string]string{"pages.go": strings.Replace(pages, assertion, "if p.ID != id {\n\t\t"+assertion+"\n\t}", 1), "bench_test.go": pagesBench})
	setsFrom, setsTo := history(t, filepath.Join(mirrors, "example.com", "o", "sets.git"),
		map[string]string{"sets.go": sets, "sets_test.go": setsTest},
		map[string]string{"sets.go": strings.Replace(sets, "map[int]bool{}}", "make(map[int]bool, len(keys))}", 1)})
	row := func(id, repo, from, to, bench, expected string) string {
		return strings.Join([]string{id, "example.com/o/" + repo, "example.com/" + repo, from, to, ".", bench, expected, ""}, "\t") + "\n"
	}
	rows, err := ReadCorpus(strings.NewReader(head +
		row("pages", "pages", pagesFrom, pagesTo, "BenchmarkSum", "KEEP") +
		row("sets", "sets", setsFrom, setsTo, "BenchmarkHas", "INCONCLUSIVE") +
		row("renamed", "sets", setsFrom, setsTo, "BenchmarkOther", "KEEP") +
		row("nowhere", "nowhere", setsFrom, setsTo, "BenchmarkHas", "KEEP") +
		row("lost", "sets", "00000000", setsTo, "BenchmarkHas", "KEEP") +
		row("none", "sets", setsFrom, setsTo, "(none)", "INCONCLUSIVE")))
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{
		Tool: "test", Mirrors: mirrors, Budget: 3 * time.Minute, PerChange: 10 * time.Second, Alpha: 0.05, MinEffect: 0.01,
		Timeout: time.Minute, Seed: 1, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS="), CacheDir: t.TempDir(), Now: time.Now,
	}
	sc, err := Run(t.Context(), rows, opt)
	if err != nil {
		t.Fatalf("%v: %+v", err, sc)
	}
	got := map[string]model.Scored{}
	for _, r := range sc.Rows {
		got[r.ID] = r
	}
	if r := got["pages"]; r.Failed != "" || r.Verdict != model.ScoreKept || !r.Accepted || r.Rank == 0 || r.Rank > 3 || len(r.Kept) == 0 ||
		r.AllocPart == nil || *r.AllocPart < 0.99 || r.Broken != "" || r.Checked == "" || len(r.Notes) != 2 {
		t.Errorf("pages: %+v", r)
	}
	if r := got["sets"]; r.Failed != "" || r.Verdict != model.ScoreNotCovered || !r.Accepted || r.Reachable || len(r.Notes) != 1 {
		t.Errorf("sets: %+v", r)
	}
	for id, want := range map[string]string{"renamed": "BenchmarkOther", "nowhere": "git clone --mirror", "lost": "no commit 00000000"} {
		if r := got[id]; !strings.Contains(r.Failed, want) || r.Accepted {
			t.Errorf("%s: %+v", id, r)
		}
	}
	if r := got["none"]; r.Failed != "" || r.Verdict != model.ScoreNoBenchmark {
		t.Errorf("none: %+v", r)
	}
	if _, err := Run(t.Context(), rows[3:5], opt); !errors.Is(err, ErrNothing) {
		t.Errorf("a run without a usable row: %v", err)
	}
}
