package gocmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSplitFlags(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"  -mod=vendor\t-v ", []string{"-mod=vendor", "-v"}},
		{`'-overlay=/a b/x.json' "-ldflags=-s -w"`, []string{"-overlay=/a b/x.json", "-ldflags=-s -w"}},
	}
	for _, tt := range tests {
		got, err := SplitFlags(tt.in)
		if err != nil {
			t.Errorf("%q: %v", tt.in, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", tt.in, diff)
		}
	}
	if _, err := SplitFlags(`'-tags=a`); err == nil {
		t.Error("an open quote is no error")
	}
}

// What is joined must come apart again as it was.
func FuzzJoinFlags(f *testing.F) {
	f.Add("-a b", "-c")
	f.Add("it's", "")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, s := range []string{a, b} {
			if strings.Contains(s, "'") && strings.Contains(s, `"`) {
				t.Skip("the go command has no way to write both kinds of quotes")
			}
		}
		got, err := SplitFlags(JoinFlags([]string{a, b}))
		if err != nil || !slices.Equal(got, []string{a, b}) {
			t.Errorf("%q, %q came back as %q, %v", a, b, got, err)
		}
	})
}

func TestMeterCountsOverlapOnce(t *testing.T) {
	start := time.Unix(1000, 0)
	m := NewMeter(start)
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	m.add(Build, at(0), at(4))
	m.add(Build, at(2), at(5))   // overlaps the first
	m.add(Measure, at(4), at(7)) // claims its second of the build
	m.add(Test, at(8), at(9))
	got := m.Split(at(10))
	if got.Build != 4 || got.Measure != 3 || got.Test != 1 || got.Other != 2 || got.Total != 10 {
		t.Errorf("got %+v, want build 4, measure 3, test 1, other 2 of 10", got)
	}
}

func TestPinnedEnvironment(t *testing.T) {
	got := pinned([]string{"A=1", "GIT_DIR=/x", "GOWORK=/y", "PAWL_N=3", "PWD=/z"}, "/copy", "off")
	want := []string{"A=1", "GOWORK=off", "PWD=/copy"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// module writes a small module and returns its directory.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/m\n\ngo 1.24\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, dir string, env ...string) *Go {
	t.Helper()
	g, err := New(t.Context(), Config{
		Dir: dir, Env: append(os.Environ(), env...), GOWORK: "off", State: t.TempDir(), Meter: NewMeter(time.Now()),
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// What starts the go command of this program's PATH must not give it the GOROOT
// of another release: that one is selected by its version.
func TestListEnv(t *testing.T) {
	here, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"A=1", "GOROOT=/elsewhere", "GOTOOLCHAIN=local"}
	for bin, want := range map[string][]string{
		here:                env,
		"/elsewhere/bin/go": {"A=1", "GOTOOLCHAIN=go1.99.1"},
	} {
		g := &Go{bin: bin, Version: "go1.99.1", env: env}
		if got := g.listEnv(); !slices.Equal(got, want) {
			t.Errorf("with %s selected: %v, want %v", bin, got, want)
		}
	}
}

func TestListReportsBrokenPackages(t *testing.T) {
	dir := module(t, map[string]string{"a/a.go": "package a\n", "b/b.go": "package b\n\nimport _ \"example.com/m/missing\"\n"})
	pkgs, err := open(t, dir).List(t.Context(), "./...")
	if err != nil {
		t.Fatal(err)
	}
	broken := 0
	for _, p := range pkgs {
		if p.Error != nil || len(p.DepsErrors) > 0 {
			broken++
		}
	}
	if len(pkgs) != 2 || broken != 1 {
		t.Errorf("got %d packages, %d broken; want 2 and 1", len(pkgs), broken)
	}
}

func TestErrorSaysWhatTheGoCommandSaid(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package a\n\nvar x int = \"\"\n"})
	_, err := open(t, dir).Run(t.Context(), Build, "build", ".")
	var ge *Error
	if !errors.As(err, &ge) || !strings.Contains(ge.Output, "a.go:3") {
		t.Errorf("got %v, want an *Error that names a.go:3", err)
	}
}

// A go command that is killed leaves its working directory, so that is where it
// goes with the run.
func TestWorkDirectoriesAreInState(t *testing.T) {
	dir, state := module(t, map[string]string{"a.go": "package a\n"}), t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("GOTMPDIR", "")
	g, err := New(t.Context(), Config{Dir: dir, Env: os.Environ(), GOWORK: "off", State: state})
	if err != nil {
		t.Fatal(err)
	}
	e, err := g.Run(t.Context(), Build, "build", "-work", ".")
	if want := "WORK=" + filepath.Join(state, "tmp"); err != nil || !strings.Contains(string(e.Stderr), want) {
		t.Errorf("got %s, %v; want %s", e.Stderr, err, want)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	env := append(os.Environ(), "GOTMPDIR="+missing)
	if _, err = New(t.Context(), Config{Dir: dir, Env: env, State: state}); err == nil || !strings.Contains(err.Error(), missing) || !strings.Contains(err.Error(), "set TMPDIR") {
		t.Errorf("got %v, want the directory of the user's and what to do", err)
	}
}

// A user's overlay must survive beside pawl's own, and win over it.
func TestUserOverlayIsMerged(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package a\n\nconst A = 1\n", "b.go": "package a\n\nconst B = 1\n"})
	over := module(t, map[string]string{"a.txt": "package a\n\nconst A = 2\n", "b.txt": "package a\n\nconst B = 2\n", "ours.txt": "package a\n\nconst A = 3\n"})
	user := filepath.Join(over, "user overlay.json")
	if err := WriteOverlay(user, map[string]string{filepath.Join(dir, "a.go"): filepath.Join(over, "a.txt")}); err != nil {
		t.Fatal(err)
	}
	g := open(t, dir, "GOFLAGS="+JoinFlags([]string{"-overlay=" + user}))
	err := g.UseOverlay(filepath.Join(over, "all.json"), map[string]string{
		filepath.Join(dir, "a.go"): filepath.Join(over, "ours.txt"),
		filepath.Join(dir, "b.go"): filepath.Join(over, "b.txt"),
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err := readOverlay(g.Overlay(), dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		filepath.Join(dir, "a.go"): filepath.Join(over, "a.txt"),
		filepath.Join(dir, "b.go"): filepath.Join(over, "b.txt"),
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The go command runs in a tree that is as it was: after a program of the
// module has run it has the tree looked at first, once, and does nothing while
// that fails.
func TestRestoreComesFirst(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package a\n"})
	calls, broken := 0, errors.New("broken")
	var result error
	m := NewMeter(time.Now())
	g, err := New(t.Context(), Config{
		Dir: dir, Env: os.Environ(), GOWORK: "off", State: t.TempDir(), Meter: m,
		Restore: func(context.Context) error { calls++; return result },
	})
	if err != nil {
		t.Fatal(err)
	}
	step := func(what string, want int, wantErr error) {
		t.Helper()
		_, err := g.Run(t.Context(), Build, "env", "GOOS")
		if calls != want || !errors.Is(err, wantErr) {
			t.Errorf("%s: looked %d times, want %d; error %v, want %v", what, calls, want, err, wantErr)
		}
	}
	step("before anything has run", 0, nil)
	m.add(Test, time.Now(), time.Now())
	result = broken
	step("after a test", 1, broken)
	step("while that fails", 2, broken)
	result = nil
	step("when it is in order again", 3, nil)
	step("with nothing run since", 3, nil)
}

// Whatever the user says about -buildvcs, it is said once, and no.
func TestBuildVCS(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package a\n"})
	for _, flags := range []string{"", "-buildvcs=false", "-buildvcs=true", "-buildvcs", "--buildvcs=auto -mod=mod"} {
		got := Getenv(open(t, dir, "GOFLAGS="+flags).Env(), "GOFLAGS")
		want := "-buildvcs=false"
		if strings.Contains(flags, "-mod=mod") {
			want = "-mod=mod " + want
		}
		if got != want {
			t.Errorf("GOFLAGS %q became %q, want %q", flags, got, want)
		}
	}
}

// A process that starts a child and ignores SIGTERM must be gone, with the
// child, when its context ends.
func TestCancelEndsTheGroup(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("process groups are a thing of Unix")
	}
	pidFile := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	m := NewMeter(time.Now())
	r, err := m.Start(ctx, Proc{
		Path: "/bin/sh", CPU: NoCPU, Env: os.Environ(),
		Args: []string{"-c", "trap '' TERM; sleep 600 & echo $! > " + pidFile + "; wait"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var pid string
	for pid == "" {
		data, _ := os.ReadFile(pidFile)
		pid = strings.TrimSpace(string(data))
	}
	cancel()
	if _, err := r.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait: %v, want %v", err, context.Canceled)
	}
	// The child is dead when its entry is gone or a zombie; give the kernel a
	// moment to deliver the signal.
	for range 200 {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("child %s outlives the group", pid)
}

func TestOutputIsBounded(t *testing.T) {
	b := &tailBuffer{limit: 10}
	for range 100 {
		b.Write([]byte("0123456789abcdef"))
	}
	b.Write([]byte("the end"))
	if got := string(b.bytes()); len(got) != 10 || !strings.HasSuffix(got, "the end") {
		t.Errorf("kept %q, want 10 bytes that end with %q", got, "the end")
	}
}

func TestPinnedToOneCore(t *testing.T) {
	if !CanPin() {
		t.Skip("this system does not pin processes")
	}
	cpu, err := QuietCPU()
	if err != nil {
		t.Fatal(err)
	}
	m := NewMeter(time.Now())
	e, err := m.Run(t.Context(), Proc{Path: "/bin/sh", Args: []string{"-c", "grep Cpus_allowed_list /proc/self/status"}, Env: os.Environ(), CPU: cpu})
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(e.Stdout))
	if len(fields) != 2 || strings.ContainsAny(fields[1], ",-") {
		t.Errorf("allowed cores %q, want one", e.Stdout)
	}
}

// untilLast ends well when it, and what it starts, lets all others go first.
const untilLast = "for i in 1 2 3 4 5 6 7 8 9; do test $(nice) = 19 && exit 0; sleep 0.1; done; exit 1"

func TestLast(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no nice")
	}
	e, err := new(Meter).Run(t.Context(), Proc{Path: "/bin/sh", Args: []string{"-c", untilLast}, Env: os.Environ(), CPU: NoCPU, Last: true})
	if err != nil || e.Code != 0 {
		t.Errorf("exit code %d, %v\n%s", e.Code, err, e.Stderr)
	}
}

// A bare Go has an environment and nothing else.
func TestBare(t *testing.T) {
	g := Bare([]string{"A=1", "GIT_DIR=x", "PAWL_N=1", "GOWORK=/w", "PWD=/p"}, nil)
	if diff := cmp.Diff([]string{"A=1", "GOWORK=/w", "B=2"}, g.Env("B=2")); diff != "" {
		t.Error(diff)
	}
	if _, err := g.Run(t.Context(), Build, "version"); err == nil || !strings.Contains(err.Error(), "no module") {
		t.Error(err)
	}
	if got := Bare([]string{"A=1"}, nil).Env(); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

func TestWithoutWork(t *testing.T) {
	if got := withoutWork("WORK=/tmp/x\n# p\np.go:1:1: WORK=1\n"); got != "# p\np.go:1:1: WORK=1\n" {
		t.Errorf("%q", got)
	}
}

// A file that is put twice has its last text, and files of one name do not meet.
func TestLayer(t *testing.T) {
	l := Layer{Dir: filepath.Join(t.TempDir(), "overlay")}
	puts := [][2]string{{"/m/a.go", "1"}, {"/m/a.go", "2"}, {"/m/b/a.go", "3"}}
	for _, p := range puts {
		if err := l.Put(p[0], []byte(p[1])); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range puts[1:] {
		if got, err := os.ReadFile(l.Replace[p[0]]); err != nil || string(got) != p[1] {
			t.Errorf("%s has %q, %v", p[0], got, err)
		}
	}
	if len(l.Replace) != 2 {
		t.Errorf("%d files are replaced, want 2", len(l.Replace))
	}
}

func TestRefusal(t *testing.T) {
	for path, want := range map[string]string{
		"tool": `"tool" is no; to the go command this word is a set of packages: rename the module, as with go mod edit -module example.com/tool`,
		"m/x":  `"m/x" is no; see 'go help packages'`,
	} {
		if got := Refusal(t.TempDir(), path, fmt.Sprintf("%q is no; see 'go help packages'\n", path)); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
