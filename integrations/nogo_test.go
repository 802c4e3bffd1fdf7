package integrations

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var nogo = flag.Bool("nogo", false, "build the nogo program of Bazel's Go rules with the rules that docs/find.md names, and run it; the module proxy, some minutes")

// rulesGo is the version of Bazel's Go rules whose nogo is built.
const rulesGo = "github.com/bazelbuild/rules_go@v0.65.0"

// Bazel's nogo is a program that its Go rules put together from files of theirs, and from a
// list of analyzers and a configuration. Here it is put together from those of
// docs/find.md without Bazel, and checks a package as a build would have it do.
func TestNogo(t *testing.T) {
	if !*nogo {
		t.Skip("with -nogo: it takes some minutes, and the module proxy")
	}
	paths, config := documented(t)
	bin := buildNogo(t, paths, config)
	dir := t.TempDir()
	src := "package a\n\nimport (\n\t\"runtime\"\n\t\"strings\"\n)\n\nfunc First(s string) string { return strings.Split(s, \",\")[0] }\n\n" +
		"func Each(all []string) {\n\tfor range all {\n\t\truntime.GC()\n\t}\n}\n"
	put(t, filepath.Join(dir, "a.go"), src)
	put(t, filepath.Join(dir, "external", "a.go"), src)
	cfg := filepath.Join(dir, "importcfg")
	put(t, cfg, output(t, dir, nil, "go", "list", "-export", "-deps", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", "runtime", "strings"))

	for _, c := range []struct {
		file string
		want []string
		not  string
	}{
		{"a.go", []string{"(splitcut)", "(gcrequest)"}, ""},
		{filepath.Join("external", "a.go"), []string{"(gcrequest)"}, "(splitcut)"}, // its configuration excludes these
	} {
		fixes := t.TempDir()
		cmd := exec.Command(bin, "-importcfg", cfg, "-p", "example.com/a", "-go_version", "1.26", "-x", filepath.Join(fixes, "facts"), "-fix_dir", fixes, c.file)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOARCH="+runtime.GOARCH) // as the build rule does
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 3 { // nogoViolation
			t.Fatalf("%s: exit code %d, %v:\n%s", c.file, code, err, out)
		}
		for _, want := range c.want {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: no %s in:\n%s", c.file, want, out)
			}
		}
		if c.not != "" && strings.Contains(string(out), c.not) {
			t.Errorf("%s: %s is excluded, but reported:\n%s", c.file, c.not, out)
		}
		patch, err := os.ReadFile(filepath.Join(fixes, "nogo.patch"))
		if c.not == "" && !strings.Contains(string(patch), "strings.Cut(") {
			t.Errorf("%s: no fix of splitcut in nogo.patch (%v):\n%s", c.file, err, patch)
		}
	}
}

var label = regexp.MustCompile(`"@com_github_pawl_dev_pawl//([\w/]+):\w+"`)

// documented returns the packages and the configuration of nogo that docs/find.md shows.
func documented(t *testing.T) (paths []string, config string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "docs", "find.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), "    nogo(\n")
	for _, m := range label.FindAllStringSubmatch(text, -1) {
		paths = append(paths, "github.com/pawl-dev/pawl/"+m[1])
	}
	_, text, _ = strings.Cut(text, "    )\n\n")
	config, _, _ = strings.Cut(text, "\n\n")
	if len(paths) == 0 || !json.Valid([]byte(config)) {
		t.Fatalf("docs/find.md: %d analyzers, and a configuration that reads\n%s", len(paths), config)
	}
	return paths, config
}

// buildNogo puts nogo together as the build rule does, and returns the program. Its module is
// called as it is since nogo uses an internal package of golang.org/x/tools.
func buildNogo(t *testing.T, paths []string, config string) string {
	t.Helper()
	var mod struct{ Dir string }
	if err := json.Unmarshal([]byte(output(t, "", nil, "go", "mod", "download", "-json", rulesGo)), &mod); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "nogo.json"), config)
	copyFrom := func(to string, names ...string) {
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(mod.Dir, "go", "tools", "builders", name))
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, to, name), string(data))
		}
	}
	copyFrom("gen", "generate_nogo_main.go", "flags.go")
	put(t, filepath.Join(dir, "gen", "main.go"), "package main\n\nimport \"os\"\n\nfunc main() {\n\tif err := genNogoMain(os.Args[1:]); err != nil {\n\t\tpanic(err)\n\t}\n}\n")
	copyFrom("nogo", "constants.go", "env.go", "flags.go", "path.go", "nogo_fix.go", "nogo_goversions_go122.go", "nogo_main.go", "nogo_version.go", "nolint.go")

	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "go.mod"), "module golang.org/x/tools/checked\n\ngo 1.26\n\nrequire github.com/pawl-dev/pawl v0.0.0\n\nreplace github.com/pawl-dev/pawl => "+root+"\n")
	env := []string{"GOFLAGS=-mod=mod", "GOWORK=off"}
	args := []string{"run", "./gen", "-config", "nogo.json", "-output", filepath.Join("nogo", "nogo_gen.go")}
	for _, p := range paths {
		args = append(args, "-analyzer_importpath", p)
	}
	output(t, dir, env, "go", args...)
	bin := filepath.Join(dir, "nogo.exe")
	output(t, dir, env, "go", "build", "-o", bin, "./nogo")
	return bin
}

// output runs a command and returns what it prints.
func output(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out, stderr.String()))
	}
	return string(out)
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
