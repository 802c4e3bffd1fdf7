package propose

import (
	"context"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/change/propose/prove/provetest"
	"github.com/pawl-dev/pawl/internal/model"
)

func TestLoadErrors(t *testing.T) {
	for name, c := range map[string]struct{ source, patterns, want string }{
		"does not compile": {"package x\n\nvar a int = \"\"\n", "./x", "make it compile"},
		"no main module":   {"package x\n", "fmt", "no package of the main module matches fmt"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			provetest.Write(t, dir, "go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
			provetest.Write(t, dir, "x/x.go", []byte(c.source))
			_, err := Load(context.Background(), Config{Dir: dir, Root: dir, Env: provetest.Environ(), Patterns: []string{c.patterns}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// A module below the snapshot's root: names are relative to the root. The
// name of a change does not depend on what stands above it.
func TestRootAboveModule(t *testing.T) {
	const source = "package x\n\nimport \"io\"\n\ntype w struct {\n\tw io.Writer\n\tn int\n}\n\n" +
		"func (w *w) put() {\n\tvar b [2]byte\n\tw.w.Write(b[:])\n\tw.n++\n}\n"
	ids := map[string]bool{}
	for _, above := range []string{"", "// A comment.\n\n"} {
		root := t.TempDir()
		provetest.Write(t, root, "sub/go.mod", []byte("module example.test/m\n\ngo 1.21\n"))
		provetest.Write(t, root, "sub/x.go", []byte(above+source))
		p, err := Load(context.Background(), Config{Dir: root + "/sub", Root: root, Env: provetest.Environ(), Patterns: []string{"."}})
		if err != nil {
			t.Fatal(err)
		}
		line := 11 + strings.Count(above, "\n")
		changes, refusals := p.Changes(model.Target{Resource: model.Allocs, At: model.Pos{File: "sub/x.go", Line: line}})
		if len(changes) != 1 || changes[0].Edits[0].File != "sub/x.go" {
			t.Fatalf("changes %v, refusals %v", changes, refusals)
		}
		ids[changes[0].ID] = true
	}
	if len(ids) != 1 {
		t.Errorf("the same change has the names %v", ids)
	}
}
