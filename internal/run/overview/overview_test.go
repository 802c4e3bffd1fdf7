package overview

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const (
	benchFile = "package a\nimport \"testing\"\nfunc BenchmarkOne(b *testing.B) {}\nfunc BenchmarkTwo(b *testing.B) {}\nfunc helper(b *testing.B) {}\n"
	webFile   = "package web\nimport \"net/http\"\ntype s struct{}\nfunc (x *s) list(w http.ResponseWriter, r *http.Request) {}\n" +
		"func Plain(w http.ResponseWriter, r *http.Request) {}\nfunc write(w http.ResponseWriter, r string) {}\n"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func look(t *testing.T, files fstest.MapFS) *Module {
	t.Helper()
	m := &Module{Name: "example.com/m"}
	if err := m.walk(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	return m
}

func text(t *testing.T, m *Module) string {
	t.Helper()
	var b strings.Builder
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWrite(t *testing.T) {
	m := look(t, fstest.MapFS{
		"go.mod": file("module example.com/m\n"), "a/a.go": file("package a\n"), "a/a_test.go": file(benchFile),
		"b/b_test.go": file(strings.Replace(benchFile, "BenchmarkTwo", "notOne", 1)), "broken/x_test.go": file("package testing.B {"),
		"web/web.go": file(webFile), "cpu.pprof": file("\x1f\x8b"), "notes.prof": file("no"),
		"vendor/v/v_test.go": file(benchFile), "nested/go.mod": file("module n\n"), "nested/n_test.go": file(benchFile),
		"testdata/t_test.go": file(benchFile), ".git/x.pprof": file("\x1f\x8b"),
	})
	m.Base = "origin/main"
	want := `example.com/m has 4 packages and 3 benchmarks, 2 of them in ./a.
Profiles lie in cpu.pprof.

Begin with:
  pawl optimize -bench . ./a           make it faster, unattended, and prove it
Or:
  pawl find -profile cpu.pprof ./...   what that profile says costs, and why
  pawl gate                            is this branch slower than origin/main?
  pawl find ./...                      what costs, by reading the source alone
All verbs: pawl help
`
	got := text(t, m)
	if diff := cmp.Diff(strings.Fields(want), strings.Fields(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if n := strings.Count(got, "\n"); n > 10 {
		t.Errorf("%d lines", n)
	}
}

// What fits no line stands below its command.
func TestWriteNarrow(t *testing.T) {
	dir := strings.Repeat("deep/", 5) + "a"
	got := text(t, look(t, fstest.MapFS{"go.mod": file("module example.com/m\n"), dir + "/a_test.go": file(benchFile)}))
	for l := range strings.Lines(got) {
		if n := len(strings.TrimSuffix(l, "\n")); n > lineWidth {
			t.Errorf("%d columns: %s", n, l)
		}
	}
	if want := "./" + dir + "\n      make it faster"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

func TestBegin(t *testing.T) {
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"handlers":   {fstest.MapFS{"web/web.go": file(webFile)}, "pawl bench-stub ./web.s.list"},
		"benchmarks": {fstest.MapFS{"a_test.go": file(benchFile), "web/web.go": file(webFile)}, "pawl optimize -bench ."},
		"profile":    {fstest.MapFS{"web/web.go": file(webFile), "cpu.out": file("\x1f\x8b")}, "pawl find -profile cpu.out ./..."},
		"little":     {fstest.MapFS{"a.go": file("package a\n")}, "pawl find ./..."},
	} {
		if got := look(t, c.files).advice()[0].Command; got != c.want {
			t.Errorf("%s: begin with %s, want %s", name, got, c.want)
		}
	}
}

// From a directory inside, what is there comes first, and all names are relative to it.
func TestBeginInside(t *testing.T) {
	files := fstest.MapFS{
		"a/a_test.go": file(benchFile), "b/b_test.go": file(strings.Replace(benchFile, "BenchmarkTwo", "notOne", 1)),
		"c/c.go": file("package c\n"), "web/web.go": file(webFile), "cpu.out": file("\x1f\x8b"),
	}
	for at, want := range map[string]string{
		".": "pawl optimize -bench . ./a", "b": "pawl optimize -bench .", "c": "pawl optimize -bench . ../a",
	} {
		m := look(t, files)
		m.At = at
		advice := m.advice()
		if advice[0].Command != want {
			t.Errorf("in %s: begin with %s, want %s", at, advice[0].Command, want)
		}
		if got := advice[1].Command; at != "." && got != "pawl find -profile ../cpu.out ./..." {
			t.Errorf("in %s: %s", at, got)
		}
	}
	delete(files, "a/a_test.go")
	delete(files, "b/b_test.go")
	delete(files, "cpu.out")
	m := look(t, files)
	m.At = "c"
	if got := m.advice()[0].Command; got != "pawl bench-stub ../web.s.list" {
		t.Errorf("a handler elsewhere: %s", got)
	}
}
