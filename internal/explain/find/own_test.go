package find

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

// Fixes are made in the module that was looked at, be it the Go installation's own, and never
// in an installation or a module cache that others use.
func TestOwn(t *testing.T) {
	goroot, cache, mine := t.TempDir(), t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "go")
	if err := os.Symlink(goroot, link); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		name, root, file string
		seen             string // of the warning; "" for none
	}{
		{"mine", mine, "a.go", ""},
		{"mine, of the workspace", mine, filepath.Join(t.TempDir(), "a.go"), ""},
		{"the installation", mine, filepath.Join(goroot, "src", "errors", "a.go"), "the Go installation"},
		{"a checkout of Go", goroot, "src/errors/a.go", ""},
		{"the cache", mine, filepath.Join(cache, "m@v1", "a.go"), "the module cache"},
		{"in the cache", filepath.Join(cache, "m@v1"), "a.go", "the module cache"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fix := &model.Fix{Edits: []model.Edit{{File: test.file}}}
			f := &model.Findings{Root: test.root, GOROOT: link, ModCache: cache, Findings: []model.Finding{{Rule: "r", Class: "A", Fix: fix}}}
			warnings := Own(f)
			if test.seen == "" {
				if len(warnings) > 0 || f.Findings[0].Fix == nil {
					t.Errorf("%v", warnings)
				}
				return
			}
			if len(warnings) != 1 || !strings.Contains(warnings[0].Seen, "1 fix in ") || !strings.HasSuffix(warnings[0].Seen, test.seen) || f.Findings[0].Fix != nil {
				t.Errorf("%v, fix %v", warnings, f.Findings[0].Fix)
			}
		})
	}
}
