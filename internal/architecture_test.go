// Package internal holds the rooms. Its test keeps them apart: it fails when
// an import goes against the table in docs/architecture.md, and when a module
// is required that docs/dependencies.md does not explain.
package internal

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/pawl-dev/pawl/"

// A rule is one row of the table: a package of the module, or a folder of
// them, and what it may import.
type rule struct {
	rooms   []string // of this module
	modules []string // of others
}

// table reads the arrows from docs/architecture.md, between the markers.
func table(t *testing.T) map[string]rule {
	t.Helper()
	data, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok1 := strings.Cut(string(data), "<!-- arrows -->")
	body, _, ok2 := strings.Cut(rest, "<!-- /arrows -->")
	if !ok1 || !ok2 {
		t.Fatal("docs/architecture.md has no table between <!-- arrows --> and <!-- /arrows -->")
	}
	rules := make(map[string]rule)
	name := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(body) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 {
			continue
		}
		var r rule
		for _, m := range name.FindAllStringSubmatch(cells[3], -1) {
			if strings.Contains(m[1], ".") {
				r.modules = append(r.modules, m[1])
			} else {
				r.rooms = append(r.rooms, m[1])
			}
		}
		for _, m := range name.FindAllStringSubmatch(cells[1], -1) {
			rules[m[1]] = r
		}
	}
	return rules
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func list(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []pkg
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// room returns the name that the table uses for a package of this module.
func room(path string) string {
	path = strings.TrimPrefix(path, module)
	path = strings.TrimPrefix(path, "internal/")
	if first, _, ok := strings.Cut(path, "/"); ok && first != "cmd" && first != "examples" {
		return first
	}
	return path
}

func TestArrows(t *testing.T) {
	rules := table(t)
	seen := 0
	for _, p := range list(t) {
		if p.ImportPath == strings.TrimSuffix(module, "/")+"/internal" {
			continue
		}
		from := room(p.ImportPath)
		r, ok := rules[from]
		if !ok {
			t.Errorf("%s: the table in docs/architecture.md has no row for %q", p.ImportPath, from)
			continue
		}
		seen++
		for _, imp := range p.Imports {
			switch {
			case strings.HasPrefix(imp, module):
				if to := room(imp); to != from && !slices.Contains(r.rooms, to) {
					t.Errorf("%s imports %s: the table lets %s import %s only", p.ImportPath, imp, from, r.rooms)
				}
			case strings.Contains(strings.SplitN(imp, "/", 2)[0], "."):
				allowed := func(m string) bool { return imp == m || strings.HasPrefix(imp, m+"/") }
				if !slices.ContainsFunc(r.modules, allowed) {
					t.Errorf("%s imports %s: the table lets %s import %s of other modules only", p.ImportPath, imp, from, r.modules)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d packages were checked: the test looks in the wrong place", seen)
	}
}

func TestDependenciesAreExplained(t *testing.T) {
	doc, err := os.ReadFile("../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	required := regexp.MustCompile(`(?m)^\s*(?:require )?([a-z0-9.-]+\.[a-z]+/\S+) v`)
	found := required.FindAllStringSubmatch(string(mod), -1)
	if len(found) == 0 {
		t.Fatal("no requirement found in go.mod")
	}
	for _, m := range found {
		if !strings.Contains(string(doc), "`"+m[1]+"`") {
			t.Errorf("go.mod requires %s, and docs/dependencies.md does not explain it", m[1])
		}
	}
	if regexp.MustCompile(`(?m)^(replace|exclude)`).Match(mod) {
		t.Error("go.mod has a replace or exclude line, with which go install PKG@version refuses the module")
	}
}

// What a killed pawl leaves among the temporary files is removed by the next
// one only if gocmd.NewScratch made it.
func TestTemporaryFolders(t *testing.T) {
	made := regexp.MustCompile(`os\.(MkdirTemp|CreateTemp)\(("",|os\.TempDir)`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if slices.Contains([]string{"testdata", "browser", "campaign", ".git"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(path)
		if err == nil && made.Match(src) {
			t.Errorf("%s makes a temporary file or folder that stays after a kill: use gocmd.NewScratch", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
