package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/model"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func newRun(t *testing.T, s *Store, verb string, at time.Time) *Run {
	t.Helper()
	r, err := s.NewRun(verb, at)
	if err != nil {
		t.Fatal(err)
	}
	if r.Saved() {
		t.Error("something was saved of a new run")
	}
	return r
}

func TestOpenNeedsADirectory(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	s, err := Open(missing)
	if err != nil {
		t.Fatal(err)
	}
	if runs, warnings, err := s.List(); len(runs)+len(warnings) > 0 || err != nil {
		t.Errorf("a directory that is not there has runs: %v, %v, %v", runs, warnings, err)
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("it was made")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil || !strings.Contains(err.Error(), "is a file") {
		t.Errorf("a file was opened as a directory: %v", err)
	}
}

func TestRunIDsAreUnique(t *testing.T) {
	s := open(t)
	for i := 1; i <= 11; i++ {
		want := "20260102T120000-optimize"
		if i > 1 {
			want += fmt.Sprintf("-%d", i)
		}
		if r := newRun(t, s, "optimize", noon); r.ID != want {
			t.Errorf("run %d is %s, want %s", i, r.ID, want)
		}
	}
	ids, err := s.ids()
	if err != nil || ids[0] != "20260102T120000-optimize-11" || ids[10] != "20260102T120000-optimize" {
		t.Errorf("newest first: %v, %v", ids, err)
	}
}

func TestSaveAndLoad(t *testing.T) {
	s := open(t)
	r := newRun(t, s, "optimize", noon)
	if err := r.Save(model.Run{Verb: "optimize"}); err != nil {
		t.Fatal(err)
	}
	m := model.Run{Verb: "optimize", Started: noon, Attempts: []model.Attempt{{Outcome: model.Kept, Diff: "<&>"}}}
	if err := r.Save(m); err != nil {
		t.Fatal(err)
	}
	m.Schema, m.ID, m.Dir = model.SchemaVersion, r.ID, r.Dir
	for _, id := range []string{r.ID, "20260102T12", "latest"} {
		got, err := s.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&m, got); diff != "" {
			t.Errorf("Load(%q) differs (-want +got):\n%s", id, diff)
		}
	}
	if err := r.Save(model.Run{ID: "another"}); err == nil {
		t.Error("a run was saved over another")
	}
	leftovers, err := filepath.Glob(filepath.Join(r.Dir, ".tmp-*"))
	if err != nil || len(leftovers) != 0 {
		t.Errorf("left behind: %v, %v", leftovers, err)
	}
}

func TestLoadRefuses(t *testing.T) {
	s := open(t)
	newRun(t, s, "optimize", noon)
	newRun(t, s, "try", noon)
	for id, want := range map[string]string{
		"":                         "no run",
		"../x":                     "no run",
		"2025":                     "no run",
		"2026":                     "2 runs begin with",
		"20260102T120000-optimize": "run.json",
	} {
		if _, err := s.Load(id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load(%q): %v, want %q", id, err, want)
		}
	}
	if _, err := open(t).Load("latest"); err == nil {
		t.Error("the latest of no runs was found")
	}
}

func TestListGoesOnAfterABrokenRun(t *testing.T) {
	s := open(t)
	if runs, warnings, err := s.List(); len(runs)+len(warnings) != 0 || err != nil {
		t.Fatalf("no runs: %v, %v, %v", runs, warnings, err)
	}
	for i, verb := range []string{"optimize", "try", "find", "optimize"} {
		r := newRun(t, s, verb, noon.Add(time.Duration(i)*time.Hour))
		switch i {
		case 1: // killed before its first Save
		case 2:
			if err := os.WriteFile(filepath.Join(r.Dir, "run.json"), []byte("{"), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			if err := r.Save(model.Run{Verb: verb}); err != nil {
				t.Fatal(err)
			}
		}
	}
	runs, warnings, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range runs {
		got = append(got, r.ID)
	}
	want := []string{"20260102T150000-optimize", "20260102T120000-optimize"}
	if diff := cmp.Diff(want, got); diff != "" || len(warnings) != 2 {
		t.Errorf("runs differ (-want +got):\n%s\nwarnings %v", diff, warnings)
	}
}

func TestFilesOfARun(t *testing.T) {
	s := open(t)
	r := newRun(t, s, "optimize", noon)
	profile, err := r.Profile("../cpu/Write.pprof")
	if err != nil || filepath.Dir(profile) != filepath.Join(r.Dir, "profiles") {
		t.Errorf("profile at %s, %v", profile, err)
	}
	diff, err := r.Diff("01-reuse-nonce", "--- a\n")
	if err != nil || diff != filepath.Join(r.Dir, "diffs", "01-reuse-nonce.diff") {
		t.Errorf("diff at %s, %v", diff, err)
	}
	write := func(text string, fail error) error {
		_, err := r.Report(func(w io.Writer) error {
			_, _ = io.WriteString(w, text)
			return fail
		})
		return err
	}
	if err := write("whole", nil); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no more figures")
	if err := write("half", broken); !errors.Is(err, broken) {
		t.Errorf("the writer's error was lost: %v", err)
	}
	if data, err := os.ReadFile(filepath.Join(r.Dir, "report.html")); err != nil || string(data) != "whole" {
		t.Errorf("the report is %q, %v", data, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := s.OpenRun("latest")
	if err != nil || again.Dir != r.Dir {
		t.Errorf("opened again: %v, %v", again, err)
	}
}

func TestPlainNames(t *testing.T) {
	for in, want := range map[string]string{
		"wire.Pack": "wire.Pack",
		"final":     "final",
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
	seen := map[string]string{}
	for _, in := range []string{"a/b", "a-b", "a b", "../x", ".", "", "ä", "ö", strings.Repeat("x", 300), strings.Repeat("x", 301), `C:\x`} {
		got := plain(in)
		if got == "" || strings.ContainsAny(got, `/\: `) || got[0] == '.' || len(got) > 200 {
			t.Errorf("plain(%q) = %q", in, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("plain(%q) = plain(%q) = %q", in, other, got)
		}
		seen[got] = in
	}
}

func TestCache(t *testing.T) {
	s := open(t)
	if _, ok := s.Cached("notes", "k"); ok {
		t.Error("something was cached before anything was")
	}
	for _, data := range []string{"old", "new", ""} {
		if err := s.Cache("notes", "k", []byte(data)); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.Cached("notes", "k"); !ok || string(got) != data {
			t.Errorf("got %q, %v, want %q", got, ok, data)
		}
	}
	if err := s.Cache("notes", "k", []byte("content")); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(s.entry("notes", "k"), 35); err != nil {
		t.Fatal(err)
	}
	if got, ok := s.Cached("notes", "k"); ok {
		t.Errorf("a damaged entry came back as %q", got)
	}
}
