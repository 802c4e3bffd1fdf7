package guard

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
)

func TestFrozen(t *testing.T) {
	const src = "//go:build linux\n\npackage p\n\n//go:noinline\nfunc f() int { return 1 }\n"
	tests := []struct {
		name, file    string
		before, after string
		want          string // part of the reason; "" when the change is fine
	}{
		{"a function's body", "p.go", src, strings.Replace(src, "1", "2", 1), ""},
		{"a comment", "p.go", src, src + "\n// go:noinline is no directive with a blank\n", ""},
		{"a test", "p_test.go", src, src, "test file"},
		{"test data", "a/testdata/b/p.go", src, src, "test data"},
		{"a dependency", "vendor/x/p.go", src, src, "dependency"},
		{"the module file", "go.mod", "module m\n", "module n\n", "sets what is built"},
		{"a file of another kind", "p.s", "", "", "no Go source"},
		{"a build constraint", "p.go", src, strings.Replace(src, "linux", "linux && !race", 1), "constraint"},
		{"a directive that goes", "p.go", src, strings.Replace(src, "//go:noinline\n", "", 1), "directive"},
		{"a directive that comes", "p.go", src, strings.Replace(src, "func", "//go:nosplit\nfunc", 1), "directive"},
		{"cgo", "p.go", "package p\n\n// int x;\nimport \"C\"\n", "package p\n\n// int y;\nimport \"C\"\n", "cgo"},
		{"cgo in parentheses", "p.go", "package p\n\nimport (\n\t// int x;\n\t\"C\"\n)\n", "package p\n\nimport (\n\t// int y;\n\t\"C\"\n)\n", "cgo"},
		{"cgo that looks like a directive", "p.go", "package p\n\nimport \"C\"\n", "package p\n\n//x:y\nimport \"C\"\n", "cgo"},
		{"a syntax error", "p.go", src, "package", "syntax error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := frozen(tt.file, []byte(tt.before), []byte(tt.after))
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want a reason with %q", got, tt.want)
			}
		})
	}
	if frozen("new.go", nil, []byte(src)) == "" {
		t.Error("a new file with a build constraint is let through")
	}
	if why := frozen("new.go", nil, []byte("package p\n\nfunc g() {}\n")); why != "" {
		t.Errorf("a plain new file is frozen: %s", why)
	}
	if why := frozen("old.go", []byte("package p\n"), nil); why != "" {
		t.Errorf("a plain file cannot go: %s", why)
	}
}

// What a change's text shows is refused before the go command sees the change:
// here there is none to run.
func TestRefusedUnbuilt(t *testing.T) {
	const src = "package p\n"
	for name, after := range map[string]string{
		"cgo":       "package p\n\n// #include \"/etc/hostname\"\nimport \"C\"\n",
		"embed":     "package p\n\nimport _ \"embed\"\n\n//go:embed x\nvar x string\n",
		"linkname":  "package p\n\nimport _ \"unsafe\"\n\n//go:linkname f runtime.f\nfunc f()\n",
		"no syntax": "package",
	} {
		dir := t.TempDir()
		in, err := Inspect(t.Context(), Change{
			Dir: dir, Root: dir, Env: []string{"PATH=" + dir},
			Before: map[string][]byte{"p.go": []byte(src)}, After: map[string][]byte{"p.go": []byte(after)},
		})
		if err != nil || len(in.Refused(nil)) == 0 {
			t.Errorf("%s: %+v, %v", name, in, err)
		}
	}
}

func TestNewLines(t *testing.T) {
	before := "# m/p\np.go:3:1: unreachable code\np.go:9:1: unreachable code\n"
	now := "# m/p\np.go:4:1: unreachable code\np.go:10:2: unreachable code\np.go:12: self-assignment of x\n"
	want := []string{"p.go:12: self-assignment of x"}
	if diff := cmp.Diff(want, newLines(before, now)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := newLines(before, before+"p.go:20:1: unreachable code\n"); len(got) != 1 {
		t.Errorf("one more of a known kind: got %q", got)
	}
}

// frozen returns the first thing that ground finds; "" for nothing.
func frozen(file string, before, after []byte) string {
	for _, x := range ground(file, before, after) {
		return x.Detail
	}
	return ""
}

// Names that are another file's on some systems, or none of the tree's.
func TestFrozenNames(t *testing.T) {
	const src = "package p\n"
	for _, name := range []string{
		"../p.go", "/p.go", "a/../p.go", "./p.go", "a//p.go", "a\\p.go", "p.go\n", "P_TEST.GO", "p_Test.go", "TestData/p.go", "Vendor/m/p.go",
		"GO.MOD", "go.sum", "go.work", "a/go.work.sum", ".env", "Makefile", ".github/workflows/ci.yml", ".ci/x.go", "_x/p.go", "a/.hidden.go",
		"p.c", "p.h", "p.syso", "p.s", "p.txt", "p_linux.go", "p_arm64.go", "p_windows_amd64.go",
	} {
		if frozen(name, nil, []byte(src)) == "" {
			t.Errorf("%q is let through", name)
		}
	}
	for _, name := range []string{"p.go", "a/b/p.go", "linux.go", "a_b.go", "p_testing.go", "amd64/p.go"} {
		if why := frozen(name, nil, []byte(src)); why != "" {
			t.Errorf("%q: %s", name, why)
		}
	}
}

// A symbolic link leads out of the tree, or to what is frozen; a name that
// differs by case is the same file elsewhere.
func TestOnDisk(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"testdata", "a"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "a", "p.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("testdata", filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	tests := map[string]string{"link/p.go": "symbolic link", "a/P.go": "case", "a/p.go": "", "a/q.go": "", "new/p.go": ""}
	for file, want := range tests {
		if got := onDisk(root, file, true); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}

func FuzzGround(f *testing.F) {
	f.Add("p.go", []byte("package p\n"), []byte("//go:build x\n\npackage p\n"))
	f.Add("p.go", []byte("package p\n// int x;\nimport \"C\"\n"), []byte("package"))
	f.Fuzz(func(t *testing.T, name string, before, after []byte) {
		for _, s := range ground(name, before, after) {
			if s.Detail == "" || s.At.Line < 1 {
				t.Errorf("%+v", s)
			}
		}
		if len(ground(name, before, before)) > 0 && frozenName(name) == "" && !isGenerated(name, before) {
			if _, err := settings(name, before); err == nil {
				t.Error("a file that did not change is frozen")
			}
		}
	})
}

// A guard over a module of one package, and a way to test it.
func guarded(t *testing.T, test string) (*Guard, gocmd.Package, Tested) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.24\n",
		"p.go":      "package m\n\nfunc F(n int) int { return n + 1 }\n",
		"p_test.go": "package m\n\nimport (\n\t\"os\"\n\t\"os/signal\"\n\t\"syscall\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _ = os.Args\nvar _ = signal.Ignore\nvar _ = syscall.SIGTERM\nvar _ = time.Now\n\n" + test,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	g, err := gocmd.New(t.Context(), gocmd.Config{Dir: dir, Env: os.Environ(), GOWORK: "off", State: t.TempDir(), Meter: gocmd.NewMeter(time.Now())})
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := g.List(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "m.test")
	if err := g.BuildTest(t.Context(), ".", bin, gocmd.BuildOpts{}); err != nil {
		t.Fatal(err)
	}
	return New(g, 2*time.Second), pkgs[0], Tested{Pkg: pkgs[0], Path: bin}
}

func TestTests(t *testing.T) {
	tests := []struct {
		name, test, want string
	}{
		{"pass", "func TestF(t *testing.T) { if F(1) != 2 { t.Error() } }", ""},
		{"fail", "func TestF(t *testing.T) { t.Errorf(\"F(1) = %d\", F(1)) }", "--- FAIL: TestF"},
		{"panic", "func TestF(t *testing.T) { panic(\"boom\") }", "panic: boom"},
		{"exit", "func TestF(t *testing.T) { os.Exit(7) }", "exit status 7"},
		// The signal that testing's own limit ends in must not be needed.
		{"hangs and ignores signals", "func TestF(t *testing.T) { signal.Ignore(syscall.SIGTERM, syscall.SIGINT); select {} }", "panic: test timed out"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sample.One(t, 4)
			t.Parallel()
			g, _, bin := guarded(t, tt.test)
			c, _, err := g.Tests(t.Context(), "tests", []Tested{bin})
			if err != nil {
				t.Fatal(err)
			}
			if c.OK != (tt.want == "") || !strings.Contains(c.Detail, tt.want) {
				t.Errorf("ok %v, detail %q; want %q", c.OK, c.Detail, tt.want)
			}
		})
	}
}

// A test that fails by chance is no reason to refuse a change; one that may
// fail because of it is.
func TestUnsteady(t *testing.T) {
	// The nth run of the test, counted in a file.
	const nth = `func nth(t *testing.T) int {
		b, _ := os.ReadFile("runs")
		if err := os.WriteFile("runs", append(b, 'x'), 0o666); err != nil { t.Fatal(err) }
		return len(b) + 1
	}
	`
	tests := []struct {
		name, test string
		unsteady   []string
		failing    []string // where it is not unsteady
	}{
		{"once", "func TestF(t *testing.T) { if nth(t) == 1 { t.Error() } }", []string{"example.com/m.TestF"}, nil},
		{"every other time", "func TestF(t *testing.T) { if nth(t)%2 == 1 { t.Error() } }", nil, []string{"TestF"}},
		{"once, in a panic", "func TestF(t *testing.T) { if nth(t) == 1 { panic(1) } }", nil, []string{"TestF"}},
		{"once, without a test", "func TestMain(m *testing.M) { c := m.Run(); if nth(nil) == 1 { c = 1 }; os.Exit(c) }\nfunc TestF(*testing.T) {}", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sample.One(t, 4)
			t.Parallel()
			g, _, bin := guarded(t, nth+tt.test)
			c, bad, err := g.Tests(t.Context(), "tests", []Tested{bin})
			if err != nil {
				t.Fatal(err)
			}
			if c.OK != (tt.unsteady != nil) || !slices.Equal(c.Unsteady, tt.unsteady) {
				t.Errorf("ok %v, unsteady %v, detail %q", c.OK, c.Unsteady, c.Detail)
			}
			if (bad == nil) != c.OK || bad != nil && !slices.Equal(bad.Tests, tt.failing) {
				t.Errorf("failing %v, want %v", bad, tt.failing)
			}
		})
	}
}

// Tests that failed with a change are run without it.
func TestAgain(t *testing.T) {
	const third = `func nth(n int) bool {
		b, _ := os.ReadFile("runs")
		_ = os.WriteFile("runs", append(b, 'x'), 0o666)
		return len(b) == n-1
	}

	func third() bool { return nth(3) }
	`
	tests := []struct {
		name, test string
		with       []string // what failed with the change
		want       string
		runs       int
	}{
		{"fails, too", "func TestF(t *testing.T) { if third() { t.Error() } }", []string{"TestE", "TestF"}, "TestF", 3},
		{"panics", "func TestF(t *testing.T) { if third() { panic(1) } }", []string{"TestF"}, "TestF", 3},
		{"names no test", "func TestF(t *testing.T) { if third() { os.Exit(3) } }", nil, "example.com/m", 3},
		{"fails seldom, beside one that takes long", "func TestG(t *testing.T) { time.Sleep(50 * time.Millisecond) }\nfunc TestF(t *testing.T) { if nth(40) { t.Error() } }", []string{"TestF"}, "TestF", 40},
		{"another one fails", "func TestF(t *testing.T) { if third() { t.Error() } }", []string{"TestG"}, "", mostAgain + mostAlone},
		{"a test fails, and with the change the process", "func TestF(t *testing.T) { if third() { t.Error() } }", nil, "", mostAgain},
		{"passes", "func TestF(t *testing.T) { third() }", []string{"TestF"}, "", mostAgain + mostAlone},
		{"does not end", "func TestF(t *testing.T) { select {} }", []string{"TestF"}, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sample.One(t, 4)
			t.Parallel()
			g, _, bin := guarded(t, third+tt.test)
			limit := time.Minute
			if tt.runs == 0 {
				limit = time.Second
			}
			test, runs, err := g.Again(t.Context(), bin, tt.with, limit)
			if err != nil || test != tt.want || runs != tt.runs {
				t.Errorf("%q after %d runs, %v; want %q after %d", test, runs, err, tt.want, tt.runs)
			}
		})
	}
}

// A test that failed before a run was ended is known.
func TestFailedBeforeTheEnd(t *testing.T) {
	g, _, bin := guarded(t, "func TestA(t *testing.T) { t.Error() }\nfunc TestB(t *testing.T) { select {} }")
	limited, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var passed []Passed
	var failed []string
	bin.Passed, bin.Failed = &passed, &failed
	if _, _, err := g.Tests(limited, "tests", []Tested{bin}); err == nil {
		t.Error("a run that was ended had an end")
	}
	if len(passed) != 0 || len(failed) != 1 || failed[0] != "TestA" {
		t.Errorf("passed %v, failed %v", passed, failed)
	}
}

// What vet said about the base is the base's own; what it says about the change is
// not.
func TestVetCountsWhatIsNew(t *testing.T) {
	g, pkg, _ := guarded(t, "func TestF(t *testing.T) {}")
	file := filepath.Join(pkg.Dir, "p.go")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const old = "package m\n\nimport \"fmt\"\n\nfunc F(n int) int {\n\tfmt.Printf(\"%d\\n\")\n\treturn n + 1\n}\n"
	write(old)
	names := []string{pkg.ImportPath}
	if err := g.VetBase(t.Context(), names); err != nil {
		t.Fatal(err)
	}
	write(strings.Replace(old, "func F", "// F adds one.\nfunc F", 1))
	if c, err := g.Vet(t.Context(), names); err != nil || !c.OK {
		t.Errorf("the base's finding, one line further down, counts: %+v, %v", c, err)
	}
	write(strings.Replace(old, "return n", "fmt.Printf(\"%s\\n\", n)\n\treturn n", 1))
	c, err := g.Vet(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	if c.OK || !strings.Contains(c.Detail, "%s") {
		t.Errorf("a new finding does not count: %+v", c)
	}
}

func TestTypes(t *testing.T) {
	g, pkg, _ := guarded(t, "func TestF(t *testing.T) { F(1) }")
	file := filepath.Join(pkg.Dir, "p.go")
	if c, err := g.Types(t.Context(), []string{pkg.ImportPath}); err != nil || !c.OK {
		t.Fatalf("the base: %+v, %v", c, err)
	}
	// It compiles, but the tests against it do not any more.
	if err := os.WriteFile(file, []byte("package m\n\nfunc F(n, m int) int { return n + m }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := g.Types(t.Context(), []string{pkg.ImportPath})
	if err != nil {
		t.Fatal(err)
	}
	if c.OK || !strings.Contains(c.Detail, "not enough arguments") {
		t.Errorf("got %+v, want the compiler's words on the test", c)
	}
}

// Room for what append adds, and texts that grow, are left to the counts. Other memory is not.
func TestGrows(t *testing.T) {
	for text, want := range map[string]bool{
		"make([]byte, 0, n) escapes to heap": true, "make(Matches, 0, 18) escapes to heap": true, "append(t.buf, b) escapes to heap": true,
		"string(buf) escapes to heap": true, "make([]byte, n) escapes to heap": false, "make(map[string]int, 10) escapes to heap": false,
		"new(int) escapes to heap": false, "make([]byte, n, 0x40) escapes to heap": false,
	} {
		if got := grows(text); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// A variable has a name, and no more.
func TestCopied(t *testing.T) {
	for text, want := range map[string]bool{
		"tok escapes to heap": true, "&tok escapes to heap": false, "new(T) escapes to heap": false, "T{...} escapes to heap": false, "tok": false,
	} {
		if got := copied(text); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// A text that the compiler gives for several places stands once.
func TestInLines(t *testing.T) {
	lost := func(line int, text string) escape.Change {
		return escape.Change{Kind: escape.LostInline, At: model.Pos{File: "a.go", Line: line, Col: 2}, Text: text}
	}
	want := "a.go:3:2: lost inline: f (and 2 more places)\na.go:5:2: lost inline: g"
	if got := inLines([]escape.Change{lost(3, "f"), lost(4, "f"), lost(5, "g"), lost(6, "f")}); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
