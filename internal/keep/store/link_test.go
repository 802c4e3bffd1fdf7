package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
)

// What a repository, or a test, has put where pawl writes leads to no file of the
// user's.
func TestNoLinkIsWrittenThrough(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := func(at string) {
		t.Helper()
		if err := os.Symlink(victim, at); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	link(filepath.Join(dir, "journal.jsonl"))
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), Event{Kind: "begin"}); err == nil {
		t.Error("the journal is a link, and was written")
	}
	r, err := s.NewRun("try", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	file, err := r.Profile("a.pprof")
	if err != nil {
		t.Fatal(err)
	}
	link(file)
	if again, err := r.Profile("a.pprof"); err != nil || again != file {
		t.Errorf("%s, %v", again, err)
	}
	if _, err := os.Lstat(file); err == nil {
		t.Error("a link stays in the place of a profile")
	}
	if err := os.Mkdir(filepath.Join(r.Dir, "samples"), 0o700); err != nil {
		t.Fatal(err)
	}
	link(filepath.Join(r.Dir, "samples", "all.base.txt"))
	if _, err := r.Samples("all", model.Base, model.Environment{}); err == nil {
		t.Error("the samples are a link, and were opened")
	}
	other := t.TempDir()
	if err := os.Symlink(filepath.Dir(victim), filepath.Join(other, "runs")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(other); err == nil {
		t.Error("runs is a link, and was taken")
	}
	if data, err := os.ReadFile(victim); err != nil || string(data) != "mine" {
		t.Errorf("the user's file holds %q, %v", data, err)
	}
}
