package guard

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

var corpus = flag.String("corpus", "", "directory of modules NAME and changed files NAME.patch that maintainers have merged")

// What maintainers merged to make their programs faster is at most new state,
// or work that is done beforehand.
func TestCorpus(t *testing.T) {
	if *corpus == "" {
		t.Skip("-corpus names no directory")
	}
	patches, err := filepath.Glob(filepath.Join(*corpus, "*.patch"))
	if err != nil || len(patches) == 0 {
		t.Fatal("no patches", err)
	}
	for _, p := range patches {
		t.Run(filepath.Base(p), func(t *testing.T) {
			in, err := Inspect(t.Context(), merged(t, p))
			if err != nil {
				t.Fatal(err)
			}
			if in.Incomplete != "" {
				t.Error(in.Incomplete)
			}
			t.Logf("api ok %v: %s; %d additions", in.API.OK, in.API.Detail, len(in.Warnings))
			for _, s := range in.States {
				t.Logf("state %s %s (%s), bound: %s", s.At, s.Name, s.Kind, s.Bound)
			}
			for _, s := range in.Suspicions {
				t.Logf("%s %s: %s: %s", s.At, s.Kind, s.Detail, s.Code)
				if s.Kind != model.SuspectState && s.Kind != model.SuspectSetup {
					t.Errorf("a merged fix is taken for %s", s.Kind)
				}
			}
		})
	}
}

// merged makes a Change of a directory of changed files.
func merged(t *testing.T, patch string) Change {
	t.Helper()
	root := patch[:len(patch)-len(".patch")]
	c := Change{Dir: root, Root: root, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), Before: map[string][]byte{}, After: map[string][]byte{}}
	err := filepath.WalkDir(patch, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(patch, name)
		now, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		c.After[filepath.ToSlash(rel)] = now
		if old, err := os.ReadFile(filepath.Join(root, rel)); err == nil {
			c.Before[filepath.ToSlash(rel)] = old
		}
		for dir := filepath.Dir(filepath.Join(root, rel)); dir != filepath.Dir(root); dir = filepath.Dir(dir) {
			if gocmd.IsFile(filepath.Join(dir, "go.mod")) {
				c.Dir = dir
				break
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
