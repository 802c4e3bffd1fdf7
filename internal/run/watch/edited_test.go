package watch

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/explain/worth"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
)

// Functions are changed where a line of theirs was changed, added or removed, uncommitted
// and new files included.
func TestEdited(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write("go.mod", "module example.com/m\n\ngo 1.25\n")
	write("a.go", "package m\n\nfunc A() int {\n\tprintln()\n\treturn 1\n}\n\nfunc B() int {\n\treturn 2\n}\n\nfunc C() {\n}\n")
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "one")
	write("a.go", "package m\n\nfunc A() int {\n\treturn 1\n}\n\nfunc B() int {\n\treturn 3\n}\n\nfunc C() {\n}\n")
	write("sub/b.go", "package sub\n\ntype T[P any] struct{}\n\nfunc (t *T[P]) D() {}\n")
	found, err := edited(t.Context(), filepath.Join(dir, "sub"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"example.com/m.A", "example.com/m.B", "example.com/m/sub.(*T).D"}, names); diff != "" {
		t.Error(diff)
	}
	for at, ref := range map[string]string{dir: "nope", t.TempDir(): "HEAD"} {
		if _, err := edited(t.Context(), at, ref); err == nil {
			t.Errorf("%s %s: no error", at, ref)
		}
	}
}

func TestEdits(t *testing.T) {
	read := func(f string) profile.Source {
		p, err := profile.Read(bytes.NewReader(made(t, cpuTypes, f, "", 7)))
		if err != nil {
			t.Fatal(err)
		}
		return profile.Source{Profile: p}
	}
	c := &canary{edited: []worth.Func{{Name: "example.com/m.A", File: "main.go"}}, sides: [2]*side{{}, {profiles: []profile.Source{read("example.com/m.A.func1"), read("example.com/m.B")}}}}
	got := c.edits([]model.ProfileChange{{Func: "example.com/m.A.func1", Before: 1, After: 2}, {Func: "example.com/m.B", Before: 1, After: 2}, {Func: "example.com/m.C", Before: 1}})
	want := []model.EditedFunction{{Func: "example.com/m.A.func1", How: model.EditOwn}, {Func: "example.com/m.B", How: model.EditNone}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
