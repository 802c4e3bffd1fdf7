package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReplaced(t *testing.T) {
	t.Parallel()
	patch := `diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -3,2 +3 @@ func a() {
-	x := 1
-	y := 2
+	x, y := 1, 2
@@ -10,0 +10,2 @@ func b() {
+	more()
+	and()
diff --git a/new.go b/new.go
new file mode 100644
--- /dev/null
+++ b/new.go
@@ -0,0 +1 @@
+package a
`
	got, err := Replaced([]byte(patch))
	if err != nil {
		t.Fatal(err)
	}
	want := []Span{{"a.go", 3, 4}, {"a.go", 10, 11}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// A mirror gives what a commit holds, whatever the user's own git says.
func TestMirror(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	write("a.go", "package a\n")
	write("sub/b.go", "package b\n")
	write(".gitignore", "a.go\n")
	if err := NewRepository(ctx, dir, "one"); err != nil {
		t.Fatal(err)
	}
	err := ReplaceAll(ctx, dir, "two", func() error { write("sub/b.go", "package b\n\nvar X int\n"); return nil })
	if err != nil {
		t.Fatal(err)
	}
	m, err := OpenMirror(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if files, err := m.Changed(ctx, "HEAD~1", "HEAD"); err != nil || !cmp.Equal(files, []string{".gitignore", "a.go", "sub/b.go"}) {
		t.Errorf("changed %q, %v", files, err)
	}
	if data, ok := m.File(ctx, "HEAD", "sub/b.go"); !ok || !strings.Contains(string(data), "var X") {
		t.Errorf("file %q, %v", data, ok)
	}
	if _, ok := m.File(ctx, "HEAD", "a.go"); ok {
		t.Error("a file that is gone is there")
	}
	diff, err := m.Diff(ctx, "HEAD~1", "HEAD", []string{"sub/b.go"}, 0)
	if err != nil || !strings.Contains(string(diff), "+++ b/sub/b.go") || strings.Contains(string(diff), "a.go") {
		t.Errorf("diff %s, %v", diff, err)
	}
	out := filepath.Join(t.TempDir(), "out")
	if missing, err := m.Export(ctx, "HEAD~1", out); err != nil || missing != "" {
		t.Fatalf("missing %q, %v", missing, err)
	}
	var names []string
	_ = filepath.WalkDir(out, func(name string, d os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(out, name); !d.IsDir() {
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if d := cmp.Diff([]string{".gitignore", "a.go", "sub/b.go"}, names); d != "" {
		t.Errorf("exported -want +got:\n%s", d)
	}
	for _, rev := range []string{"", "-x", "0000000000000000000000000000000000000000", "nope"} {
		if id, err := m.Commit(ctx, rev); err == nil {
			t.Errorf("%q is commit %s", rev, id)
		}
	}
	if _, err := OpenMirror(ctx, t.TempDir()); err == nil {
		t.Error("an empty directory is a repository")
	}
}
