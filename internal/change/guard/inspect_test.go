package guard

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// A moduleOnDisk is one of the modules that patches of the tests are for,
// written out and loaded once.
type moduleOnDisk struct {
	dir   string
	files map[string][]byte
	base  *base
}

var (
	modulesMu sync.Mutex
	modules   = map[string]*moduleOnDisk{}
)

func moduleNamed(t *testing.T, name string) *moduleOnDisk {
	t.Helper()
	modulesMu.Lock()
	defer modulesMu.Unlock()
	if m := modules[name]; m != nil {
		return m
	}
	a, err := txtar.ParseFile("testdata/modules/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(testDir, name)
	if err != nil {
		t.Fatal(err)
	}
	m := &moduleOnDisk{dir: dir, files: map[string][]byte{}}
	for _, f := range a.Files {
		m.files[f.Name] = f.Data
		at := filepath.Join(m.dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := Change{Dir: m.dir, Root: m.dir, Env: testEnv(), Before: map[string][]byte{}}
	for name, text := range m.files {
		if path.Dir(name) == "." {
			c.Before[name] = text
		}
	}
	if m.base, err = loadBase(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	modules[name] = m
	return m
}

// testEnv is the environment of go commands: with -trimpath, the build cache knows what was compiled in another directory.
func testEnv() []string { return append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath") }

// testDir holds the modules that tests share.
var testDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "guard")
	if err != nil {
		panic(err)
	}
	testDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// A patch of the tests: an archive with the files as they become. A file named
// F.edit holds edits of F: texts after lines "@old" that become those after
// lines "@new". The comment has lines "module: NAME", "want: KIND", and
// "setup: F" for functions that run in benchmarks' set-up only, and "timed: F" for
// those that run in a timed loop.
type patch struct {
	*moduleOnDisk
	change Change
	want   []model.SuspicionKind
}

func readPatch(t *testing.T, file string) patch {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var p patch
	var setUp, timed []string
	for line := range strings.Lines(string(a.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "module":
			p.moduleOnDisk = moduleNamed(t, value)
		case "want":
			p.want = append(p.want, model.SuspicionKind(value))
		case "setup":
			setUp = append(setUp, value)
		case "timed":
			timed = append(timed, value)
		}
	}
	p.change = Change{Dir: p.dir, Root: p.dir, Env: testEnv(), Before: map[string][]byte{}, After: map[string][]byte{}}
	for _, f := range a.Files {
		name, isEdit := strings.CutSuffix(f.Name, ".edit")
		if old, ok := p.files[name]; ok {
			p.change.Before[name] = old
		}
		if isEdit {
			f.Data = edit(t, p.files[name], string(f.Data))
		}
		p.change.After[name] = f.Data
	}
	among := func(names []string) func(file string, from, to int) bool {
		return func(file string, from, to int) bool {
			lines := strings.Join(strings.Split(string(p.files[file]), "\n")[from-1:to], "\n")
			return slices.ContainsFunc(names, func(f string) bool { return strings.Contains(lines, "func "+f+"(") })
		}
	}
	if setUp != nil {
		p.change.SetUp = among(setUp)
	}
	if timed != nil {
		p.change.Timed = among(timed)
	}
	return p
}

func edit(t *testing.T, src []byte, edits string) []byte {
	t.Helper()
	out := string(src)
	for _, e := range strings.Split(edits, "@old\n")[1:] {
		old, now, ok := strings.Cut(e, "@new\n")
		old, now = strings.TrimSuffix(old, "\n"), strings.TrimSuffix(now, "\n")
		if !ok || strings.Count(out, old) != 1 {
			t.Fatalf("%d times in the file: %q", strings.Count(out, old), old)
		}
		out = strings.Replace(out, old, now, 1)
	}
	return []byte(out)
}

func (p patch) inspect(t *testing.T) *Inspected {
	t.Helper()
	in, err := inspect(t.Context(), p.change, p.base)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range in.Suspicions {
		t.Logf("%s %s: %s: %s", s.At, s.Kind, s.Detail, s.Code)
	}
	for _, s := range in.States {
		t.Logf("state %s %s %s: %s", s.At, s.Name, s.Kind, s.Bound)
	}
	return in
}

func archives(t *testing.T, dir string, least int) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/" + dir + "/*.txtar")
	if err != nil || len(files) < least {
		t.Fatalf("%d archives in testdata/%s, want %d: %v", len(files), dir, least, err)
	}
	if testing.Short() { // the go command runs for each
		var some []string
		for i := 0; i < len(files); i += 4 {
			some = append(some, files[i])
		}
		return some
	}
	return files
}

func TestCheats(t *testing.T) {
	for _, file := range sample.Part(archives(t, "cheats", 35), 8) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			p := readPatch(t, file)
			in := p.inspect(t)
			if in.Incomplete != "" && !slices.Contains(p.want, model.SuspectFrozen) {
				t.Errorf("incomplete: %s", in.Incomplete)
			}
			for _, want := range p.want {
				if !slices.ContainsFunc(slices.Concat(in.Suspicions, in.APIs), func(s model.Suspicion) bool { return s.Kind == want }) {
					t.Errorf("nothing of kind %s", want)
				}
			}
			for _, s := range in.Suspicions {
				if s.Detail == "" || strings.Contains(s.Detail, "\n") || s.At.Line == 0 {
					t.Errorf("not one line at a place: %+v", s)
				}
				if strings.Contains(s.Try, "-allow") != allowable(s.Kind) {
					t.Errorf("%s: %q", s.Kind, s.Try)
				}
			}
		})
	}
}

// A candidate that does not compile, such as a part of a patch, is read as far as it goes. One patch of each module is enough.
func TestBroken(t *testing.T) {
	seen := map[*moduleOnDisk]bool{}
	for _, file := range archives(t, "cheats", 35) {
		p := readPatch(t, file)
		if seen[p.moduleOnDisk] {
			continue
		}
		seen[p.moduleOnDisk] = true
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			for name, src := range p.change.After {
				fset := token.NewFileSet()
				f, err := parser.ParseFile(fset, name, src, 0)
				if err != nil || f.Name.Name == "main" {
					continue
				}
				for _, d := range f.Decls {
					if gen, ok := d.(*ast.GenDecl); !ok || gen.Tok != token.TYPE {
						continue
					}
					p.change.After[name] = slices.Concat(src[:fset.Position(d.Pos()).Offset], src[fset.Position(d.End()).Offset:])
					p.inspect(t)
				}
				p.change.After[name] = src
			}
		})
	}
}

func TestHonest(t *testing.T) {
	for _, file := range sample.Part(archives(t, "honest", 12), 8) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			in := readPatch(t, file).inspect(t)
			if len(in.Suspicions)+len(in.States)+len(in.APIs) > 0 || in.Incomplete != "" || !in.API.OK {
				t.Errorf("raises %d suspicions, %d states; %s %s", len(in.Suspicions), len(in.States), in.Incomplete, in.API.Detail)
			}
		})
	}
}
