package rule

import (
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/internal/rulekit/index"
)

// A driver that gives no ReadFile, as Bazel's nogo, has files read from disk.
func TestNoReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.go")
	const src = "package a\n"
	if err := os.WriteFile(name, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file := fset.AddFile(name, -1, len(src))
	p := newPass(&analysis.Pass{Fset: fset, ResultOf: map[*analysis.Analyzer]any{index.Analyzer: &index.Index{}, Settings: &settings{}}}, Rule{})
	if got, want := p.Text(file.Pos(0), file.Pos(7)), "package"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
