package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRestated(t *testing.T) {
	t.Parallel()
	const diff = "diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n"
	path := filepath.Join(t.TempDir(), PatchName(3, "x: keep the buffer"))
	if filepath.Base(path) != "0003-x-keep-the-buffer.patch" {
		t.Errorf("name %s", path)
	}
	old := mail("x: keep the buffer\n\nIt was made anew.\n\nPawl-Change: c1\n", diff, "A <a@example.com>", time.Unix(0, 0).UTC())
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := PatchFile{Path: path}.Restated("perf(x): keep the buffer\n\n--- is no diff\n", 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(got), "Subject: ")
	if !ok || !strings.HasPrefix(string(old), head) || !strings.HasPrefix(rest, "[PATCH 1/2] perf(x): keep the buffer\n") {
		t.Errorf("the head is %q and %q", head, rest)
	}
	if !strings.Contains(rest, "\n| --- is no diff\n---\n\n"+diff) || strings.Contains(rest, "Pawl-") {
		t.Errorf("the rest is %q", rest)
	}
	if err := os.WriteFile(path, []byte("a letter"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (PatchFile{Path: path}).Restated("x", 1, 1); err == nil {
		t.Error("what is no patch was taken for one")
	}
}
