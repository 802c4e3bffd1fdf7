package source

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
)

// listed lists some packages of the standard library, compiled.
func listed(t *testing.T) (*gocmd.Go, []gocmd.Package) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.24\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	g, err := gocmd.New(t.Context(), gocmd.Config{Dir: dir, Env: os.Environ(), GOWORK: "off", State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	list, err := g.List(t.Context(), "-export", "-deps", "--", "fmt", "math/rand/v2", "crypto/tls")
	if err != nil {
		t.Fatal(err)
	}
	return g, list
}

// exportData returns what section leaves of a file.
func exportData(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := section(f)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The compiler in use writes a version that the table knows, and that can be
// read: a patch release that changes it is seen here first.
func TestExportData(t *testing.T) {
	g, list := listed(t)
	for _, p := range list {
		if p.Export == "" {
			continue
		}
		data := exportData(t, p.Export)
		if data[0] != 'u' {
			t.Fatalf("%s writes export data of the form %q, which this test does not know; look at what go list -export names now", g.Version, data[0])
		}
		r, ok := gorelease.Of(g.Version)
		if v := int(binary.LittleEndian.Uint32(data[1:])); !ok || !slices.Contains(r.Export, v) {
			t.Errorf("%s writes version %d of export data, and the table has %v", g.Version, v, r.Export)
		}
		if _, _, err := readExport(token.NewFileSet(), p.Export, p.ImportPath, map[string]*types.Package{}); err != nil {
			t.Error(err)
		}
		return
	}
	t.Fatal("nothing is compiled")
}

// What comes from export data, and from source where that is in a version that
// nobody knows, is the same.
func TestImporter(t *testing.T) {
	g, list := listed(t)
	for _, unknown := range []bool{false, true} {
		if unknown {
			spoil(t, list)
		}
		m := NewImporter(token.NewFileSet(), g, list)
		if m.all != unknown {
			t.Errorf("all from source: %v, want %v", m.all, unknown)
		}
		for path, want := range map[string]string{
			"fmt":          "func(w io.Writer, format string, a ...any) (n int, err error)",
			"math/rand/v2": "func(seed1 uint64, seed2 uint64) *math/rand/v2.PCG",
			"crypto/tls":   "func(network string, addr string, config *crypto/tls.Config) (*crypto/tls.Conn, error)",
		} {
			name := map[string]string{"fmt": "Fprintf", "math/rand/v2": "NewPCG", "crypto/tls": "Dial"}[path]
			p, err := m.Import(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := types.TypeString(p.Scope().Lookup(name).Type(), nil); got != want {
				t.Errorf("%s.%s is %s, want %s", path, name, got, want)
			}
		}
		if _, err := m.Import("example.com/none"); err == nil {
			t.Error("a package that is not listed has types")
		}
	}
}

// spoil gives copies of export data a version that nobody knows.
func spoil(t *testing.T, list []gocmd.Package) {
	t.Helper()
	dir := t.TempDir()
	for i := range list {
		if list[i].Export == "" {
			continue
		}
		data, err := os.ReadFile(list[i].Export)
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.Index(data, []byte("\n$$B\nu"))
		binary.LittleEndian.PutUint32(data[at+len("\n$$B\nu"):], 99)
		list[i].Export = filepath.Join(dir, "spoiled")
		if err := os.WriteFile(list[i].Export, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func writeFile(t *testing.T, at, text string) string {
	t.Helper()
	if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return at
}

func TestForgive(t *testing.T) {
	std := &packages.Package{ID: "rand", Errors: []packages.Error{{Pos: "-", Msg: "too new", Kind: packages.UnknownError}}, IllTyped: true}
	own := &packages.Package{ID: "m", Module: &packages.Module{Path: "m"}, Imports: map[string]*packages.Package{"rand": std}, IllTyped: true}
	broken := &packages.Package{ID: "n", Module: &packages.Module{Path: "n"}, Errors: []packages.Error{{Msg: "undefined: x"}}}
	all := []*packages.Package{own, broken}
	if !unreadable(all) {
		t.Error("export data that cannot be read is not seen")
	}
	forgive(all)
	if own.IllTyped || !broken.IllTyped || unreadable(all) {
		t.Errorf("the sound package is taken as broken: %v, the broken one as sound: %v", own.IllTyped, !broken.IllTyped)
	}
}

// A package of a newer standard library gets a file with its types, which
// another one can read: with a method that this program has no words for, too.
func TestVetUnit(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string { return writeFile(t, filepath.Join(dir, name), text) }
	unit := func(u VetUnit) *VetUnit {
		data, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		read, err := ReadVetUnit(file("vet.cfg", string(data)))
		if err != nil {
			t.Fatal(err)
		}
		return read
	}
	low := unit(VetUnit{
		ImportPath: "low", GoVersion: "go1.99", VetxOnly: true, VetxOutput: filepath.Join(dir, "low.vetx"),
		GoFiles: []string{file("low.go", "package low\n\ntype T int\n\nfunc (T) Map[B any](b B) B { return b }\n\nfunc New() T { return 1 }\n")},
	})
	high := unit(VetUnit{
		ImportPath: "high", GoVersion: "go1.99", VetxOnly: true, VetxOutput: filepath.Join(dir, "high.vetx"),
		ImportMap: map[string]string{"l": "low"}, PackageVetx: map[string]string{"low": low.VetxOutput},
		GoFiles: []string{file("high.go", "package high\n\nimport l \"l\"\n\nvar V = l.New()\n")},
	})
	for _, u := range []*VetUnit{low, high} {
		if !u.Newer() {
			t.Fatalf("%s is not taken as newer", u.ImportPath)
		}
		if err := u.WriteTypes(); err != nil {
			t.Fatal(err)
		}
	}
	v := &vetImporter{unit: &VetUnit{PackageVetx: map[string]string{"low": low.VetxOutput, "high": high.VetxOutput}}, fset: token.NewFileSet(), known: map[string]*types.Package{}}
	p, err := v.Import("high")
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Scope().Lookup("V").Type().String(); got != "low.T" {
		t.Errorf("high.V is a %s, want low.T", got)
	}
}

func TestVetUnitOfModule(t *testing.T) {
	for _, u := range []VetUnit{
		{GoVersion: "go1.99", VetxOnly: true, VetxOutput: "x", ModulePath: "example.com/m"},
		{GoVersion: "go1.99", VetxOutput: "x"},
		{GoVersion: "go1.20", VetxOnly: true, VetxOutput: "x"},
	} {
		if u.Newer() {
			t.Errorf("%+v is taken as of a newer standard library, and only asked for its types", u)
		}
	}
}

// A stream gives each package what packages.Load gives it, errors too, and
// holds none of it afterwards.
func TestStream(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.com/m\n\ngo 1.24\n",
		"a/a.go":      "package a\n\nimport \"strings\"\n\ntype T struct{ B strings.Builder }\n",
		"b/b.go":      "package b\n\nimport \"example.com/m/a\"\n\nfunc F(t *a.T) int { return t.B.Len() }\n",
		"wrong/w.go":  "package wrong\n\nfunc F() int { return nothing }\n",
		"syntax/s.go": "package syntax\n\nfunc F( {\n",
		"over/o.go":   "package over\n\nimport \"example.com/m/wrong\"\n\nvar _ = wrong.F()\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(&packages.Config{Context: t.Context(), Dir: dir, Env: append(os.Environ(), "GOWORK=off", "PWD="+dir)}, runtime.Version(), "./...")
	if err != nil {
		t.Fatal(err)
	}
	if s.whole {
		t.Error("this toolchain's export data is not read")
	}
	sound := map[string]bool{"example.com/m/a": true, "example.com/m/b": true}
	for _, p := range s.Packages {
		s.With(p, func(map[string]bool) {
			if ok := len(p.Errors) == 0 && !p.IllTyped; ok != sound[p.PkgPath] {
				t.Errorf("%s: errors %v", p.PkgPath, p.Errors)
			}
			if f := p.Types.Scope().Lookup("F"); p.PkgPath == "example.com/m/b" && f.Type().String() != "func(t *example.com/m/a.T) int" {
				t.Errorf("F is %s", f.Type())
			}
		})
		if p.Syntax != nil || p.Types != nil || p.TypesInfo != nil {
			t.Errorf("%s is held", p.PkgPath)
		}
	}
	if len(s.Packages) != 5 || s.room.held != 0 {
		t.Errorf("%d packages, %d bytes held", len(s.Packages), s.room.held)
	}
}
