package main

import (
	"errors"
	"fmt"
	goversion "go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/gorelease"
	"github.com/pawl-dev/pawl/internal/lab/sample"
)

// The four verbs on a module of each supported go line, under each supported
// toolchain, by a pawl that was built with the newest release and with the one
// before; and by this one on what is older. A module in a newer language than
// pawl's is told so by those that type-check it. Half of the combinations are drawn, unless PAWL_ALL=1 asks for all.
func TestReleases(t *testing.T) {
	long(t, "builds pawl with two releases, and runs it on four")
	all := gorelease.All()
	tools := make([]string, len(all))
	for i, r := range all {
		tools[i] = toolchain(t, r.Go)
	}
	supported := tools[len(tools)-2:]
	type combination struct{ built, line, tool string }
	var combinations []combination
	for _, built := range supported {
		for _, line := range supported {
			for _, tool := range supported {
				if goversion.Compare(goversion.Lang(tool), goversion.Lang(line)) >= 0 {
					combinations = append(combinations, combination{built, line, tool})
				}
			}
		}
		for _, old := range tools[:len(tools)-2] {
			combinations = append(combinations, combination{built, old, old})
		}
	}
	pawl := map[string]string{}
	for _, c := range sample.Part(combinations, 2) {
		if pawl[c.built] == "" {
			pawl[c.built] = buildPawl(t, c.built)
		}
		t.Run(fmt.Sprintf("pawl %s, module %s, toolchain %s", c.built, goversion.Lang(c.line), c.tool), func(t *testing.T) {
			checkVerbs(t, pawl[c.built], c.built, c.line, "GOTOOLCHAIN="+c.tool)
		})
	}
}

// A toolchain that nobody knows: it calls itself go1.28, or what comes after the
// newest in the table, and writes export data in a version of its own. The work
// is done all the same, and one warning says what is lost.
func TestNewerToolchain(t *testing.T) {
	long(t, "builds a toolchain")
	pawl := buildPawl(t, runtime.Version())
	next := nextRelease(gorelease.Newest())
	root := fakeToolchain(t, next+".0")
	env := []string{"GOTOOLCHAIN=local", "GOROOT=", "PATH=" + filepath.Join(root, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH")}
	dir := releaseModule(t, goversion.Lang(runtime.Version()))
	buildStd(t, dir, env)
	for _, c := range verbsOnModule {
		t.Run(c.args[0], func(t *testing.T) {
			out, code := runIn(t, dir, pawl, env, c.args...)
			if code != c.code || !strings.Contains(out, c.want) {
				t.Errorf("exit code %d, want %d, and %q in\n%s", code, c.code, c.want, out)
			}
			if n := strings.Count(out, "the toolchain is "+next+".0"); n != 1 && c.args[0] != "vet" {
				t.Errorf("%d warnings of the toolchain, want 1:\n%s", n, out)
			}
			if strings.Contains(out, "cannot be told") {
				t.Errorf("a second warning says the same:\n%s", out)
			}
		})
	}
	t.Run("module", func(t *testing.T) { checkVerbs(t, pawl, runtime.Version(), next+".0", env...) })
}

// verbsOnModule are the calls, their exit codes, and what they print.
var verbsOnModule = []struct {
	args  []string
	types bool // the verb type-checks
	code  int
	want  string
}{
	{[]string{"find", "-tier", "all", "./..."}, true, exitFindings, "m.go:13"},
	{[]string{"optimize", "-budget", "25s", "."}, true, exitOK, "m: concatenate in Lines"},
	{[]string{"compare", "-budget", "20s", "HEAD~1", "HEAD", "."}, false, exitOK, "Lines"},
	{[]string{"vet", "-pawl.tier=all", "./..."}, true, 1, "m.go:13"},
}

// checkVerbs runs the verbs on a module whose go line is that of a toolchain.
func checkVerbs(t *testing.T, pawl, built, line string, env ...string) {
	dir := releaseModule(t, goversion.Lang(line))
	buildStd(t, dir, env)
	newer := goversion.Compare(goversion.Lang(line), goversion.Lang(built)) > 0
	for _, c := range verbsOnModule {
		out, code := runIn(t, dir, pawl, env, c.args...)
		wantCode, want := c.code, c.want
		if newer && c.types {
			wantCode, want = exitFailed, "GOTOOLCHAIN="+line+" go install "
			if c.args[0] == "vet" {
				wantCode = 1 // that of go vet
			}
		}
		if code != wantCode || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d, want %d, and %q in\n%s", strings.Join(c.args, " "), code, wantCode, want, out)
		}
		if strings.Contains(out, "could not be asked") || strings.Contains(out, "cannot be told") {
			if _, known := gorelease.Of(line); known {
				t.Errorf("%s did less than it should:\n%s", c.args[0], out)
			}
		}
	}
}

// runIn runs pawl in a directory, or go vet with it, and returns all it prints.
func runIn(t *testing.T, dir, pawl string, env []string, args ...string) (string, int) {
	t.Helper()
	name := pawl
	if args[0] == "vet" {
		name, args = goIn(env), append([]string{"vet", "-vettool=" + pawl}, args[1:]...)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), append(env, "XDG_CACHE_HOME="+filepath.Join(dir, "..", "cache"), "GOCACHE="+goEnv(t, "GOCACHE"), "GOFLAGS=", "GOWORK=off")...)
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// goIn is the go command of an environment: exec looks on this program's PATH.
func goIn(env []string) string {
	for _, kv := range env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			return filepath.Join(filepath.SplitList(path)[0], "go")
		}
	}
	return "go"
}

// buildStd builds the standard library, as far as a module's benchmarks need it: a fresh machine takes longer than the budgets here.
func buildStd(t *testing.T, dir string, env []string) {
	for _, race := range []string{"-race=false", "-race"} {
		runIn(t, dir, goIn(env), env, "test", race, "-run=^$", ".")
	}
}

// releaseModule makes a small module with a go line and two commits. It imports
// a package with a method that has type parameters since go1.27.
func releaseModule(t *testing.T, line string) string {
	dir := filepath.Join(t.TempDir(), "m")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n\ngo "+strings.TrimPrefix(line, "go")+".0\n")
	write("m.go", "package m\n\nimport (\n\t\"fmt\"\n\t\"math/rand/v2\"\n)\n\n// Lines joins n lines.\nfunc Lines(n int) string {\n\ts := \"\"\n\tfor i := 0; i < n; i++ {\n"+
		"\t\t// A call that costs.\n\t\ts += fmt.Sprintf(\"line %d\\n\", i)\n\t}\n\treturn s\n}\n\n// Pick is here for its import.\nfunc Pick(r *rand.Rand) int { return r.IntN(3) }\n")
	write("m_test.go", "package m\n\nimport \"testing\"\n\nfunc BenchmarkLines(b *testing.B) {\n\tfor b.Loop() {\n\t\tLines(20)\n\t}\n}\n")
	git := func(args ...string) { git(t, dir, nil, args...) }
	git("init", "-q", ".")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	write("README", "two\n")
	git("add", ".")
	git("commit", "-q", "-m", "two")
	return dir
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatalf("go env %s: %v", name, err)
	}
	return strings.TrimSpace(string(out))
}

// toolchain returns the newest patch release of a release that can be had, and
// skips the test where there is none.
func toolchain(t *testing.T, lang string) string {
	if goversion.Lang(runtime.Version()) == lang {
		return runtime.Version()
	}
	cmd := exec.Command("go", "list", "-m", "-versions", "golang.org/toolchain")
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("which patch releases of %s there are cannot be asked: %v", lang, err)
	}
	var found []string
	for _, v := range strings.Fields(string(out)) {
		v, isHere := strings.CutSuffix(strings.TrimPrefix(v, "v0.0.1-"), "."+runtime.GOOS+"-"+runtime.GOARCH)
		if isHere && goversion.IsValid(v) && strings.HasPrefix(v, lang+".") {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		t.Skipf("there is no toolchain of %s", lang)
	}
	newest := slices.MaxFunc(found, goversion.Compare)
	cmd = exec.Command("go", "version")
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GOTOOLCHAIN="+newest)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("%s cannot be had: %s", newest, out)
	}
	return newest
}

// buildPawl builds the command with a toolchain.
func buildPawl(t *testing.T, toolchain string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "pawl")
	cmd := exec.Command("go", "build", "-o", out, ".")
	if cmd.Env = os.Environ(); toolchain != runtime.Version() {
		cmd.Env = append(cmd.Env, "GOTOOLCHAIN="+toolchain)
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building pawl with %s: %v\n%s", toolchain, err, text)
	}
	return out
}

// nextRelease returns the release after one: go1.28 after go1.27.
func nextRelease(lang string) string {
	var minor int
	fmt.Sscanf(lang, "go1.%d", &minor)
	return fmt.Sprintf("go1.%d", minor+1)
}

// fakeToolchain builds the toolchain in use once more, with another version and
// another version of export data, and returns its GOROOT.
func fakeToolchain(t *testing.T, as string) string {
	root, dir := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	tools := filepath.Join(dir, "pkg", "tool", runtime.GOOS+"_"+runtime.GOARCH)
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(os.Symlink(goEnv(t, "GOROOT"), root)) // the go command overlays no file in the module cache
	must(os.MkdirAll(filepath.Join(dir, "bin"), 0o777))
	must(os.MkdirAll(tools, 0o777))
	for _, name := range []string{"src", "lib", "misc", "go.env", "pkg/include"} {
		must(os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)))
	}
	must(os.WriteFile(filepath.Join(dir, "VERSION"), []byte(as+"\n"), 0o666))
	overlay := fakeVersion(t, root, dir, as)
	build := func(out string, what ...string) {
		flags := []string{"build", "-trimpath", "-overlay", overlay, "-ldflags", "-X runtime.buildVersion=" + as + " -X internal/buildcfg.Version=" + as, "-o", out}
		cmd := exec.Command(filepath.Join(root, "bin", "go"), append(flags, what...)...)
		cmd.Dir, cmd.Env = filepath.Join(root, "src", "cmd"), append(os.Environ(), "GOROOT="+root, "GOTOOLCHAIN=local", "GOFLAGS=", "PWD="+filepath.Join(root, "src", "cmd"))
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("building %s: %v\n%s", what, err, text)
		}
	}
	build(filepath.Join(dir, "bin", "go"), "cmd/go")
	build(tools+string(filepath.Separator), "cmd/compile", "cmd/link", "cmd/asm", "cmd/cgo", "cmd/vet", "cmd/cover")
	return dir
}

// fakeVersion writes an overlay of the sources below root that gives a toolchain
// another language, and export data another version.
func fakeVersion(t *testing.T, root, dir, as string) string {
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	var replace []string
	var minor int
	fmt.Sscanf(as, "go1.%d", &minor)
	for _, e := range [][3]string{
		{"internal/goversion/goversion.go", "\nconst Version = " + fmt.Sprint(minor-1), "\nconst Version = " + fmt.Sprint(minor)},
		{"internal/pkgbits/decoder.go", "pr.version = Version(ver)", "pr.version = Version(ver - 40)"},
		{"internal/pkgbits/encoder.go", "writeUint32(uint32(pw.version))", "writeUint32(uint32(pw.version) + 40)"},
	} {
		src, err := os.ReadFile(filepath.Join(root, "src", e[0]))
		must(err)
		if goversion.Lang(runtime.Version()) != gorelease.Newest() {
			e[1] = strings.Replace(e[1], fmt.Sprint(minor-1), strings.TrimPrefix(goversion.Lang(runtime.Version()), "go1."), 1)
		}
		if strings.Count(string(src), e[1]) != 1 {
			t.Fatalf("%s has not got %q once: look how a toolchain with another version is made now", e[0], e[1])
		}
		at := filepath.Join(dir, filepath.Base(e[0]))
		must(os.WriteFile(at, []byte(strings.Replace(string(src), e[1], e[2], 1)), 0o666))
		replace = append(replace, fmt.Sprintf("%q: %q", filepath.Join(root, "src", e[0]), at))
	}
	overlay := filepath.Join(dir, "overlay.json")
	must(os.WriteFile(overlay, []byte(`{"Replace": {`+strings.Join(replace, ", ")+`}}`), 0o666))
	return overlay
}
