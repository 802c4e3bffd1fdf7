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

// A rule is one row of the table: a package of the module, or a directory of
// them, and what it may import.
type rule struct {
	rooms   []string // of this module
	modules []string // of others
}

// page returns what stands between two markers of docs/architecture.md.
func page(t *testing.T, marker string) string {
	t.Helper()
	data, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok1 := strings.Cut(string(data), "<!-- "+marker+" -->")
	body, _, ok2 := strings.Cut(rest, "<!-- /"+marker+" -->")
	if !ok1 || !ok2 {
		t.Fatalf("docs/architecture.md has nothing between <!-- %s --> and <!-- /%[1]s -->", marker)
	}
	return body
}

var quoted = regexp.MustCompile("`([^`]+)`")

// table reads the arrows of a table: a row is for the rooms in its first cell, and
// lists what they may import in one of the others. A room is named by its path, or by
// the last part of it where that is one room's alone.
func table(t *testing.T, marker string, cell int) map[string]rule {
	t.Helper()
	rules, named := make(map[string]rule), make(map[string][]string)
	for line := range strings.Lines(page(t, marker)) {
		cells := strings.Split(line, "|")
		if len(cells) <= cell {
			continue
		}
		var r rule
		for _, m := range quoted.FindAllStringSubmatch(cells[cell], -1) {
			if strings.Contains(m[1], ".") {
				r.modules = append(r.modules, m[1])
			} else {
				r.rooms = append(r.rooms, m[1])
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			rules[m[1]] = r
			named[filepath.Base(m[1])] = append(named[filepath.Base(m[1])], m[1])
		}
	}
	for from, r := range rules {
		for i, name := range r.rooms {
			if _, ok := rules[name]; ok {
				continue
			}
			if len(named[name]) != 1 {
				t.Errorf("docs/architecture.md lets %s import %s, which names %d rooms: %s", from, name, len(named[name]), named[name])
				continue
			}
			r.rooms[i] = named[name][0]
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

// room returns the row of the table that a package of this module belongs to: the
// longest one above it, so that a room with sub-rooms may have a row for each.
func room(rules map[string]rule, path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, module), "internal/")
	for name := path; name != "."; name = filepath.Dir(name) {
		if _, ok := rules[name]; ok {
			return name
		}
	}
	return path
}

// within reports whether a package or room is name or lies below it.
func within(path, name string) bool { return path == name || strings.HasPrefix(path, name+"/") }

// Every import has its permission in the table, and every permission its import.
func TestArrows(t *testing.T) {
	hold(t, table(t, "arrows", 3), true)
}

// The same of the floors: an import goes from a floor to one that its row lists.
func TestFloors(t *testing.T) {
	hold(t, table(t, "floors", 2), false)
}

// The picture names every room, so that a reader knows where to look.
func TestPicture(t *testing.T) {
	picture := page(t, "picture")
	for name := range table(t, "arrows", 3) {
		if strings.Count(name, "/") > 1 {
			continue // a room within a room of a floor
		}
		base := filepath.Base(name)
		if !regexp.MustCompile(`\b` + regexp.QuoteMeta(base) + `\b`).MatchString(picture) {
			t.Errorf("the picture in docs/architecture.md does not name %s", name)
		}
	}
}

// hold reports each import of a room that its row does not list, and each that it
// lists in vain; modules says whether those of other modules are listed, too.
func hold(t *testing.T, rules map[string]rule, modules bool) {
	t.Helper()
	seen, used := map[string]bool{}, map[[2]string]bool{}
	// use notes that a room imports what, and reports whether one of allowed lets it.
	use := func(from, what string, allowed []string) bool {
		i := slices.IndexFunc(allowed, func(name string) bool { return within(what, name) })
		if i >= 0 {
			used[[2]string{from, allowed[i]}] = true
		}
		return i >= 0
	}
	for _, p := range list(t) {
		if p.ImportPath == strings.TrimSuffix(module, "/")+"/internal" {
			continue
		}
		from := room(rules, p.ImportPath)
		r, ok := rules[from]
		if !ok {
			t.Errorf("%s: docs/architecture.md has no row for %q", p.ImportPath, from)
			continue
		}
		seen[from] = true
		for _, imp := range p.Imports {
			switch {
			case strings.HasPrefix(imp, module):
				if to := room(rules, imp); to != from && !use(from, to, r.rooms) {
					t.Errorf("%s imports %s: docs/architecture.md lets %s import %s only", p.ImportPath, imp, from, r.rooms)
				}
			case strings.Contains(strings.SplitN(imp, "/", 2)[0], "."):
				if modules && !use(from, imp, r.modules) {
					t.Errorf("%s imports %s: docs/architecture.md lets %s import %s of other modules only", p.ImportPath, imp, from, r.modules)
				}
			}
		}
	}
	for from, r := range rules {
		if !seen[from] {
			t.Errorf("docs/architecture.md has a row for %s, and there is no such package", from)
		}
		for _, what := range slices.Concat(r.rooms, r.modules) {
			if !used[[2]string{from, what}] {
				t.Errorf("docs/architecture.md lets %s import %s, which it does not", from, what)
			}
		}
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
func TestTemporaryDirectories(t *testing.T) {
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
			t.Errorf("%s makes a temporary file or directory that stays after a kill: use gocmd.NewScratch", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
