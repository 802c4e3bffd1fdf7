package rule

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// EvidenceGo is the go line of the module that evidence is laid out in. It is
// the oldest that the rules' fixes need.
const EvidenceGo = "1.25"

// Layout writes the files of an Evidence into an empty directory as a module
// named evidence: before and after, each with the benchmark, and equal. It
// needs nothing but the standard library to build.
func Layout(files fs.FS, dir string) error {
	for to, from := range map[string]string{
		"before/before.go": "before.go", "before/bench_test.go": "bench_test.go",
		"after/after.go": "after.go", "after/bench_test.go": "bench_test.go",
		"equal/equal_test.go": "equal_test.go",
	} {
		data, err := fs.ReadFile(files, "testdata/evidence/"+from)
		if errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(from, "_test.go") {
			continue // of a rule that shows an example only
		}
		if err != nil {
			return fmt.Errorf("reading evidence: %w", err)
		}
		name := filepath.Join(dir, filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return fmt.Errorf("writing evidence: %w", err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return fmt.Errorf("writing evidence: %w", err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module evidence\n\ngo "+EvidenceGo+"\n"), 0o600); err != nil {
		return fmt.Errorf("writing evidence: %w", err)
	}
	return nil
}
