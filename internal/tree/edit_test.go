package tree

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// editsOf returns an edit that replaces the first old in the file by new; at
// the start for an empty old.
func editsOf(t *testing.T, s *Snapshot, rel, old, new string) []model.Edit {
	t.Helper()
	data, err := os.ReadFile(s.Path(rel))
	if err != nil || old == "" {
		return []model.Edit{{File: rel, New: new}}
	}
	i := strings.Index(string(data), old)
	if i < 0 {
		t.Fatalf("%s has no %q", rel, old)
	}
	return []model.Edit{{File: rel, Start: i, End: i + len(old), New: new}}
}

func TestApplyUndo(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("run.go", "package proj\n")
	if err := os.Chmod(filepath.Join(w.root, "run.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.unchanged()
	s := w.take(Options{})
	before := contents(t, s.Dir)
	info, _ := os.Stat(s.Path("run.go"))
	edits := append(editsOf(t, s, "run.go", "proj", "other"), model.Edit{File: "run.go", Start: 13, End: 13, New: "// end\n"},
		model.Edit{File: "new/deep/n.go", New: "package deep\n"})
	edits = append(edits, editsOf(t, s, "a.go", "1", "2")...)
	undo1, err := s.Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	middle := contents(t, s.Dir)
	equal(t, "edited", middle["run.go"], "package other\n// end\n*")
	equal(t, "made", middle["new/deep/n.go"], "package deep\n")
	undo2, err := s.Apply(editsOf(t, s, "a.go", "2", "3"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "touched", slices.Sorted(maps.Keys(s.base)), []string{"a.go", "new/deep/n.go", "run.go"})
	base, ok, err := s.Base("a.go")
	if err != nil || !ok || !strings.Contains(string(base), "return 1") {
		t.Errorf("Base = %q, %v, %v", base, ok, err)
	}
	if _, ok, err := s.Base("new/deep/n.go"); ok || err != nil {
		t.Errorf("Base of a new file: %v, %v", ok, err)
	}
	for _, step := range []struct {
		undo func() error
		want map[string]string
	}{{undo2, middle}, {undo1, before}, {undo1, before}} {
		if err := step.undo(); err != nil {
			t.Fatal(err)
		}
		equal(t, "undone", contents(t, s.Dir), step.want)
	}
	now, _ := os.Stat(s.Path("run.go"))
	if !now.ModTime().Equal(info.ModTime()) || now.Mode() != info.Mode() {
		t.Errorf("undo left %v %v, was %v %v", now.Mode(), now.ModTime(), info.Mode(), info.ModTime())
	}
	if _, err := os.Stat(s.Path("new")); err == nil {
		t.Error("undo left a directory")
	}
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	s := w.take(Options{})
	w.write(filepath.Join(s.Dir, "link-target"), "x")
	before := contents(t, s.Dir)
	ok := model.Edit{File: "a.go", New: "// "}
	tests := map[string][]model.Edit{
		"past the end":      {ok, {File: "sub/b.go", Start: 5, End: 5000}},
		"negative":          {{File: "a.go", Start: -1, End: 2}},
		"backwards":         {{File: "a.go", Start: 3, End: 2}},
		"overlap":           {{File: "a.go", Start: 0, End: 5}, {File: "a.go", Start: 4, End: 6}},
		"same insertion":    {{File: "a.go", Start: 4, End: 4, New: "x"}, {File: "a.go", Start: 4, End: 4, New: "y"}},
		"parent":            {ok, {File: "../x", New: "x"}},
		"absolute":          {ok, {File: "/etc/x", New: "x"}},
		"git":               {ok, {File: ".git/config", New: "x"}},
		"nested git":        {ok, {File: "sub/.GIT/config", New: "x"}},
		"state":             {ok, {File: ".pawl/x", New: "x"}},
		"not clean":         {ok, {File: "sub//b.go", New: "x"}},
		"directory":         {ok, {File: "sub", New: "x"}},
		"below a file":      {ok, {File: "a.go/x", New: "x"}},
		"no such file":      {ok, {File: "gone.go", Start: 0, End: 4, New: "x"}},
		"two of a new file": {ok, {File: "n.go", New: "x"}, {File: "n.go", New: "y"}},
		"empty name":        {ok, {File: "", New: "x"}},
	}
	for name, edits := range tests {
		t.Run(name, func(t *testing.T) {
			if undo, err := s.Apply(edits); err == nil || undo != nil {
				t.Error("no error")
			}
			equal(t, "tree", contents(t, s.Dir), before)
		})
	}
	if _, err := s.Apply([]model.Edit{{File: "a.go", Start: 0, End: 7, New: "x"}, {File: "a.go", Start: 7, End: 7, New: "y"}, {File: "a.go", Start: 7, End: 8, New: "z"}}); err != nil {
		t.Error("edits that touch: ", err)
	}
}
