package difftest

import (
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// With -published, TestPublished judges patches of modules that others published;
// "all" is all of testdata/published. It asks the go command for the modules.
var published = flag.String("published", "", "which patches of published modules to judge, by a part of their names")

// TestPublished judges patches of real modules. Each archive names a module and a
// version. An honest patch is what a later release of it did to be faster, given as
// that version or as the replacements that were one change of it; a bad one is a
// plausible change for speed that breaks something.
func TestPublished(t *testing.T) {
	t.Parallel()
	if *published == "" {
		t.Skip("no -published")
	}
	names, err := filepath.Glob("testdata/published/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no patches", err)
	}
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		mod, version, _ := strings.Cut(strings.TrimSpace(string(ar.Comment)), " ")
		for _, f := range ar.Files {
			name := strings.TrimSuffix(filepath.Base(name), ".txtar") + "/" + f.Name
			if *published != "all" && !strings.Contains(name, *published) {
				continue
			}
			t.Run(name, func(t *testing.T) { judgePublished(t, name, mod, version, string(f.Data)) })
		}
	}
}

func judgePublished(t *testing.T, name, mod, version, text string) {
	t.Helper()
	want, rest, _ := strings.Cut(text, "\n")
	line, rest, _ := strings.Cut(rest, "\n")
	file, later, whole := strings.Cut(strings.TrimPrefix(line, "file: "), " ")
	s := stranger{name: name, bad: strings.Contains(name, "/bad/")}
	s.allow, s.want = kindsWanted(want)
	base := filesPublished(t, mod, version)
	cand := ""
	if whole {
		cand = filesPublished(t, mod, later)[file]
	} else {
		var err error
		if cand, err = breakIt(base[file], rest); err != nil {
			t.Fatal(err)
		}
	}
	m := newModule(t, base, map[string]string{file: cand})
	test := exec.CommandContext(t.Context(), "go", "test", "-short", "-vet=off", "./"+path.Dir(file))
	test.Dir, test.Env = m.cfg.Root, append(os.Environ(), "GOWORK=off")
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("RESULT refused by the module's own tests\n%s", out)
		return
	}
	var tests []string
	for name, text := range base {
		if path.Dir(name) == path.Dir(file) && strings.HasSuffix(name, "_test.go") {
			tests = append(tests, text)
		}
	}
	s.verdict(t, m.judge(t, s, tests...))
}

// filesPublished returns the files of one version of a module, as the go command
// downloads it, without a directory of vendored ones.
func filesPublished(t *testing.T, mod, version string) map[string]string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", mod+"@"+version).Output()
	if err != nil {
		t.Fatalf("%s@%s: %v\n%s", mod, version, err, out)
	}
	var at struct{ Dir string }
	if err := json.Unmarshal(out, &at); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	err = fs.WalkDir(os.DirFS(at.Dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && d.Name() == "vendor" {
				return fs.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(filepath.Join(at.Dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files["go.mod"] == "" {
		tidy(t, mod, files)
	}
	return files
}

// tidy gives a module that has none a go.mod, with what its tests import.
func tidy(t *testing.T, mod string, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module " + mod + "\n\ngo 1.24\n"
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	cmd := exec.CommandContext(t.Context(), "go", "mod", "tidy")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			files[name] = string(data)
		}
	}
}
