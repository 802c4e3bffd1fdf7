package tree

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goTest runs the go command in the snapshot as pawl does, with the tester's
// own caches.
func (w *world) goTest(s *Snapshot) {
	w.t.Helper()
	if testing.Short() {
		w.t.Skip("runs the go command")
	}
	cmd := exec.Command("go", "test", "-vet=off", ".")
	cmd.Dir = s.ModuleDir
	cmd.Env = append(slices.Clone(testerEnv), "GOWORK="+s.GOWORK, "GOFLAGS=", "GOPROXY=off", "GOTOOLCHAIN=local", "PWD="+cmd.Dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Errorf("go test in the snapshot: %v\n%s", err, out)
	}
}

func TestReplaceOutside(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	up := filepath.Join(w.dir, "u")
	w.write(filepath.Join(up, "lib", "go.mod"), "module example.com/lib\n\ngo 1.25\n")
	w.write(filepath.Join(up, "lib", "lib.go"), "package lib\n\nconst X = 1\n")
	w.write(filepath.Join(w.dir, "u", "far", "deep", "go.mod"), "module example.com/deep\n\ngo 1.25\n")
	w.write(filepath.Join(w.dir, "u", "far", "deep", "deep.go"), "package deep\n\nconst X = 1\n")
	w.write("in/go.mod", "module example.com/in\n\ngo 1.25\n")
	w.write("in/in.go", "package in\n\nconst X = 1\n")
	w.write("go.mod", lines("module example.com/proj", "", "go 1.25", "",
		"require (", "\texample.com/lib v0.0.0", "\texample.com/deep v0.0.0", "\texample.com/in v0.0.0", ")",
		"replace example.com/lib => ../lib // beside", "replace (",
		"\texample.com/deep v0.0.0 => \"../far/deep\"", "\texample.com/in => ./in", "\texample.com/gone => ../gone", ")"))
	w.write("a_test.go", lines("package proj", "", "import (", "\t\"testing\"", "", "\t\"example.com/deep\"", "\t\"example.com/in\"", "\t\"example.com/lib\"", ")", "",
		"func TestX(t *testing.T) { _ = lib.X + deep.X + in.X }"))
	w.unchanged()
	for range 2 {
		s := w.take(Options{})
		equal(t, "links", s.Outside, []string{filepath.Join(up, "lib"), filepath.Join(up, "far", "deep")})
		equal(t, "warnings", len(s.Warnings), 0)
		w.goTest(s)
	}
}

// A module in a directory of another one, which it replaces by "..".
func TestReplaceAround(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	up := filepath.Join(w.dir, "u")
	w.write(filepath.Join(up, "go.mod"), "module example.com/u\n\ngo 1.25\n")
	w.write(filepath.Join(up, "u.go"), "package u\n\nimport _ \"embed\"\n\n//go:embed u.txt\nvar X string\n")
	w.write(filepath.Join(up, "u.txt"), "x")
	w.write(filepath.Join(up, "pkg", "p.go"), "package pkg\n\nconst X = 1\n")
	w.write("go.mod", "module example.com/proj\n\ngo 1.25\n\nrequire example.com/u v0.0.0\n\nreplace example.com/u => ../\n")
	w.write("a_test.go", lines("package proj", "", "import (", "\t\"testing\"", "", "\t\"example.com/u\"", "\t\"example.com/u/pkg\"", ")", "",
		"func TestX(t *testing.T) { _, _ = u.X, pkg.X }"))
	w.unchanged()
	for range 2 {
		s := w.take(Options{})
		equal(t, "links", s.Outside, []string{filepath.Join(up, "pkg")})
		w.goTest(s)
	}
}

func TestWorkspaces(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		at   string // of go.work, relative to the world
		text func(w *world) string
	}{
		{"in the root", "u/proj/go.work", func(*world) string { return "go 1.25\n\nuse (\n\t.\n\t./in\n\t../lib\n)\n" }},
		{"in a parent", "u/go.work", func(*world) string { return "go 1.25\n\nuse ./proj\nuse ./proj/in\nuse ./lib\n" }},
		{"elsewhere, absolute", "u/ws/my.work", func(w *world) string {
			return "go 1.25\n\nuse \"" + w.root + "\"\nuse \"" + w.root + "/in\"\nuse ../lib\n"
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newRepo(t)
			lib := filepath.Join(w.dir, "u", "lib")
			w.write(filepath.Join(lib, "go.mod"), "module example.com/lib\n\ngo 1.25\n\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => ../dep\n")
			w.write(filepath.Join(lib, "lib.go"), "package lib\n\nimport \"example.com/dep\"\n\nconst X = dep.X\n")
			w.write(filepath.Join(w.dir, "u", "dep", "go.mod"), "module example.com/dep\n\ngo 1.25\n")
			w.write(filepath.Join(w.dir, "u", "dep", "dep.go"), "package dep\n\nconst X = 1\n")
			w.write("in/go.mod", "module example.com/in\n\ngo 1.25\n")
			w.write("in/in.go", "package in\n\nconst X = 1\n")
			w.write("a_test.go", lines("package proj", "", "import (", "\t\"testing\"", "", "\t\"example.com/in\"", "\t\"example.com/lib\"", ")", "",
				"func TestX(t *testing.T) {", "\tif in.X+lib.X != 5 {", "\t\tt.Fatal(in.X, lib.X)", "\t}", "}"))
			work := filepath.Join(w.dir, filepath.FromSlash(tt.at))
			w.write(work, tt.text(w))
			w.write(".gitignore", "go.work\n")
			w.unchanged()
			s := w.take(Options{GOWORK: work})
			if !within(filepath.Join(w.cache, "work"), s.GOWORK) {
				t.Errorf("GOWORK = %s is not pawl's", s.GOWORK)
			}
			// The copy of a used module must be used, not the user's.
			if _, err := s.Apply(editsOf(t, s, "in/in.go", "1", "4")); err != nil {
				t.Fatal(err)
			}
			w.goTest(s)
		})
	}
}

// Without git, the directory of a go.work may be anything: only its modules are
// copied.
func TestWorkspaceWithoutGit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	up := filepath.Join(w.dir, "u")
	w.write("go.mod", "module proj\n")
	w.write(filepath.Join(up, "lib", "go.mod"), "module lib\n")
	w.write(filepath.Join(up, "music", "song"), "la")
	w.write(filepath.Join(up, "go.work"), "use ./proj\nuse ./lib\nuse ../gone\n")
	w.unchanged()
	s := w.take(Options{GOWORK: filepath.Join(up, "go.work")})
	equal(t, "copy", contents(t, s.Dir), map[string]string{
		"go.work": "use ./proj\nuse ./lib\nuse ../gone\n", "proj/go.mod": "module proj\n", "lib/go.mod": "module lib\n",
	})
	equal(t, "module", s.ModuleDir, filepath.Join(s.Dir, "proj"))
	equal(t, "GOWORK", s.GOWORK, filepath.Join(s.Dir, "go.work"))
}

func TestGoWorkGone(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	s := w.take(Options{GOWORK: filepath.Join(w.dir, "gone", "go.work")})
	equal(t, "GOWORK", s.GOWORK, "off")
	equal(t, "warnings", len(s.Warnings), 1)
}

func TestSymlinksThatLeave(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write(filepath.Join(w.dir, "u", "shared", "x.txt"), "shared")
	for at, to := range map[string]string{
		"rel":    "../shared",
		"abs":    filepath.Join(w.dir, "u", "shared"),
		"inside": "sub/../a.go",
		"dead":   "../nowhere",
	} {
		if err := os.Symlink(to, filepath.Join(w.root, at)); err != nil {
			t.Skip("no symlinks here: ", err)
		}
	}
	w.unchanged()
	s := w.take(Options{})
	equal(t, "warnings", len(s.Warnings), 2)
	equal(t, "through the link", readFile(t, s.Path("rel/x.txt")), "shared")
	for _, rel := range []string{"rel/x.txt", "rel", "abs/x.txt", "inside"} {
		if _, err := s.Diff(editsOf(t, s, rel, "", "x")); err == nil {
			t.Errorf("an edit of %s is allowed", rel)
		}
	}
}

func TestAbsoluteReplaceIntoRoot(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	w.write("go.mod", "module m\n\nreplace x => "+w.root+"/sub\n")
	s := w.take(Options{})
	if len(s.Warnings) != 1 {
		t.Fatalf("warnings: %v", s.Warnings)
	}
	mustContain(t, "warning", s.Warnings[0].Try, "relative path")
}

func TestParseMod(t *testing.T) {
	t.Parallel()
	src := lines("module m // use ./no", "go 1.25", "", "use ./a", "use (", "\t./b // c", "\t\"./d e\"", ")", "use `./f`",
		"replace x => ../x", "replace y v1.2.3 => y.org/fork v1.0.0", "replace (", "\tz v1 => /abs//comment", "\tq => y.org/q v1.0.0", ")",
		"require (", "\t./notuse v1", ")", "use ./last")
	var got []string
	for _, d := range parseMod([]byte(src)) {
		got = append(got, d.Verb+" "+d.Path+" "+src[d.Start:d.End])
	}
	equal(t, "directories", got, []string{"use ./a ./a", "use ./b ./b", "use ./d e \"./d e\"", "use ./f `./f`", "replace ../x ../x", "replace /abs /abs", "use ./last ./last"})
	equal(t, "CRLF", len(parseMod([]byte(crlf(src)))), 7)
}

func FuzzParseMod(f *testing.F) {
	f.Add([]byte("module m\nuse (\n\t./a\n)\nreplace x => \"..\\\\y\"\n"))
	f.Add([]byte("replace ( \n a => `b\n use \"x"))
	f.Fuzz(func(t *testing.T, src []byte) {
		at := 0
		for _, d := range parseMod(src) {
			if d.Start < at || d.End <= d.Start || d.End > len(src) {
				t.Fatalf("directory at [%d, %d) after %d of %d", d.Start, d.End, at, len(src))
			}
			at = d.End
		}
		w := workFile{data: src, dirs: parseMod(src)}
		same, moved := w.rewrite(func(string) (string, bool) { return "", false })
		if moved || string(same) != string(src) {
			t.Fatalf("rewriting nothing changed %q to %q", src, same)
		}
	})
}

// What may be changed is what the module's workspace is made of, within the root.
func TestInModules(t *testing.T) {
	t.Parallel()
	w := newRepo(t)
	for _, dir := range []string{"in", "other", "in/deep"} {
		w.write(dir+"/go.mod", "module example.com/"+dir+"\n\ngo 1.25\n")
		w.write(dir+"/x.go", "package x\n")
	}
	w.write(filepath.Join(w.dir, "u", "lib", "go.mod"), "module example.com/lib\n\ngo 1.25\n")
	w.write("go.work", "go 1.25\n\nuse (\n\t.\n\t./in\n\t../lib\n)\n")
	for work, want := range map[string]map[string]bool{
		filepath.Join(w.root, "go.work"): {"x.go": true, "in/x.go": true, "in/new/x.go": true, "in/deep/x.go": false, "other/x.go": false, "../lib/x.go": false, "/x.go": false},
		"off":                            {"x.go": true, "new/x.go": true, "in/x.go": false},
	} {
		s := w.take(Options{GOWORK: work})
		for file, ok := range want {
			if s.InModules(file) != ok {
				t.Errorf("%s, GOWORK %s: %v", file, work, !ok)
			}
		}
		_, err := s.ReadPatch([]byte(changed("in/x.go")))
		if work == "off" {
			mustContain(t, "error", err.Error(), "belongs to another module, in in")
		} else {
			mustContain(t, "error", err.Error(), "patch") // its lines are not there: the file is no reason
			if strings.Contains(err.Error(), "module, in") {
				t.Error(err)
			}
		}
	}
}
