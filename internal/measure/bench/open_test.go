package bench

import (
	"bytes"
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

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// prebuilt builds the test binary of a module of its own, as a user would.
func prebuilt(t *testing.T, dir, out string, flags ...string) string {
	t.Helper()
	args := append(append([]string{"test", "-c", "-o", out}, flags...), ".")
	goCommand(t, dir, args...)
	return filepath.Join(dir, out)
}

func goCommand(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false", "PWD="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
}

// benchmarked writes a module with a benchmark, and returns its directory.
func benchmarked(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files(t, dir, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": linkedSource, "m_test.go": linkedTest})
	return dir
}

// patchFile writes a copy of a file in which old is replaced throughout by a
// text of the same length.
func patchFile(t *testing.T, from, old, new string) string {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if len(old) != len(new) || !bytes.Contains(data, []byte(old)) {
		t.Fatalf("%q cannot be replaced by %q", old, new)
	}
	to := filepath.Join(t.TempDir(), filepath.Base(from))
	if err := os.WriteFile(to, bytes.ReplaceAll(data, []byte(old), []byte(new)), 0o777); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestOpen(t *testing.T) {
	dir := benchmarked(t)
	path := prebuilt(t, dir, "old.test", "-ldflags=-s -w", "-tags=x")
	b, err := Open(path, dir)
	if err != nil {
		t.Fatal(err)
	}
	if b.Path != path || b.Dir != dir || b.Pkg != "example.com/m" || !b.Stock || b.Race || b.Hash == "" || b.GoVersion != runtime.Version() ||
		b.Settings["-tags"] != "x" || b.Settings["GOARCH"] != runtime.GOARCH {
		t.Errorf("%+v", b)
	}
	t.Chdir(dir)
	here, err := Open("old.test", "")
	if err != nil || here.Dir != dir || here.Path != path {
		t.Errorf("%+v, %v", here, err)
	}
	unnamed, err := Open(patchFile(t, path, "path\texample.com/m.test", "pith\texample.com/m.test"), dir)
	if err != nil || unnamed.Pkg != "old" {
		t.Errorf("without an import path: %+v, %v", unnamed, err)
	}
}

// What is wrong with a file is said by name.
func TestOpenErrors(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("patches ELF files")
	}
	dir := benchmarked(t)
	path := prebuilt(t, dir, "m.test")
	files(t, dir, map[string]string{
		"empty.test": "", "text.test": "BenchmarkX 1 2 ns/op\n", "script.test": "#!/bin/sh\n", "lib.a": "!<arch>\n",
		"m.test.exe": "MZ and so on", "short.test": "\x7fELF", "mach.test": "\xcf\xfa\xed\xfe",
		"cmd/prog/main.go": "package main\n\nfunc main() { println(1) }\n",
	})
	goCommand(t, dir, "build", "-o", "prog.test", "./cmd/prog")
	may := filepath.Join(dir, "may.test")
	if err := copyFile(may, path); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(may, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "short.test"), 0o755); err != nil {
		t.Fatal(err)
	}
	shell, err := exec.LookPath("true")
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct{ path, want string }{
		{in("none.test"), "there is no test binary"},
		{dir, "is a directory"},
		{os.DevNull, "no regular file"},
		{in("empty.test"), "not an executable but an empty file"},
		{in("text.test"), "not an executable but some other file"},
		{in("script.test"), "not an executable but a script"},
		{in("lib.a"), "not an executable but an archive"},
		{in("m.test.exe"), "another system (a Windows program)"},
		{in("mach.test"), "another system (a Mach-O file)"},
		{in("short.test"), "no Go program"},
		{shell, "no Go program"},
		{in("prog.test"), "a Go program (example.com/m/cmd/prog), but not a test binary; build one with go test -c"},
		{may, "chmod +x"},
		{patchFile(t, path, "GOARCH="+runtime.GOARCH, "GOARCH="+strings.Repeat("z", len(runtime.GOARCH))), "is built for linux/zzzz"},
		{patchFile(t, path, "GOOS=linux", "GOOS=plan9"), "is built for plan9/"},
		{patchFile(t, path, runtime.Version(), "go1.9."+strings.Repeat("1", len(runtime.Version())-6)), "go1.20 or newer"},
	} {
		if _, err := Open(c.path, dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
	}
	if _, err := Open(path, in("nosuch")); err == nil || !strings.Contains(err.Error(), "nosuch") {
		t.Errorf("no directory: %v", err)
	}
	if _, err := Bare(gocmd.Bare(nil, nil), "x"); err == nil {
		t.Error("a relative scratch directory was taken")
	}
}

// This program contains the name of the function that tells a test binary,
// and would be taken for one if it held it in the same form.
func TestIsTest(t *testing.T) {
	t.Parallel()
	marker := "\x00" + runsTests + "\x00"
	for _, before := range []int{0, 1, 1<<20 - 9, 1<<20 - 1, 1 << 20, 1<<20 + 17, 3<<20 - 5} {
		text := strings.Repeat("x", before)
		for file, want := range map[string]bool{text + marker: true, text + marker + text: true, text + runsTests: false, text + marker[:len(marker)-1]: false} {
			if got, err := isTest(strings.NewReader(file)); got != want || err != nil {
				t.Errorf("%d bytes before: %v, %v", before, got, err)
			}
		}
	}
}

// Builds of one source with other settings are told apart by each of them.
func TestDifferences(t *testing.T) {
	t.Parallel()
	sample.One(t, 3)
	dir := benchmarked(t)
	open := func(path string) *Binary {
		t.Helper()
		b, err := Open(path, dir)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	base := open(prebuilt(t, dir, "base.test"))
	same := open(prebuilt(t, dir, "same.test"))
	if d := Differences(base, same); len(d) > 0 || len(base.Warnings()) > 0 {
		t.Errorf("%v %v", d, base.Warnings())
	}
	other := open(prebuilt(t, dir, "other.test", "-trimpath", "-tags=a,b", "-gcflags=-N -l"))
	var keys []string
	for _, w := range Differences(base, other) {
		_, rest, _ := strings.Cut(w.Seen, "differ in ")
		keys = append(keys, rest)
		if w.Cause == "" || !strings.Contains(w.Try, "build both with the same -") {
			t.Errorf("%+v", w)
		}
	}
	want := []string{"-gcflags: nothing and -N,-l", "-tags: nothing and a,b", "-trimpath: nothing and true"}
	if d := cmp.Diff(want, keys); d != "" {
		t.Error(d)
	}
	if w := other.Warnings(); len(w) != 2 || !strings.Contains(w[0].Seen, "without optimisation") || !strings.Contains(w[1].Seen, "without inlining") {
		t.Error(w)
	}
}

func TestDifferencesOfSettings(t *testing.T) {
	t.Parallel()
	binary := func(version string, kv ...string) *Binary {
		b := &Binary{Path: "/x/m.test", Pkg: "m", GoVersion: version, Settings: map[string]string{"GOOS": "linux"}}
		for i := 0; i < len(kv); i += 2 {
			b.Settings[kv[i]] = kv[i+1]
		}
		return b
	}
	for _, c := range []struct {
		base, cand *Binary
		want       string
	}{
		{binary("go1.25.0"), binary("go1.26.8"), "the Go version: go1.25.0 and go1.26.8"},
		{binary("go1.26.8"), binary("go1.26.8 X:nodwarf5"), "the Go version: go1.26.8 and go1.26.8 X:nodwarf5"},
		{binary("", "-race", "true"), binary(""), "-race: true and nothing"},
		{binary("", "GOAMD64", "v1"), binary("", "GOAMD64", "v3"), "GOAMD64: v1 and v3"},
		{binary("", "-pgo", "/a/default.pgo"), binary("", "-pgo", "/b/default.pgo"), ""},
		{binary("", "-pgo", "/a/default.pgo"), binary(""), "-pgo: default.pgo and nothing"},
		{binary("", "GOEXPERIMENT", "a,b"), binary("", "GOEXPERIMENT", "b"), "GOEXPERIMENT: a and nothing"},
		{binary("", "-tags", "a,b"), binary("", "-tags", "b,a"), "-tags: a,b and b,a"},
		{binary("", "DefaultGODEBUG", "x=1,y=2"), binary("", "DefaultGODEBUG", "x=1,y=3,z=4"), "DefaultGODEBUG: y=2 and y=3,z=4"},
		{binary("", "vcs.revision", "a"), binary("", "vcs.revision", "b"), ""},
		{binary("", "-ldflags", strings.Repeat("x", 100)), binary(""), "-ldflags: " + strings.Repeat("x", 80) + "… and nothing"},
		{binary(""), &Binary{Pkg: "m"}, "the candidate does not say with what settings it was built"},
		{&Binary{Pkg: "m"}, &Binary{Pkg: "m"}, "the base and the candidate does not say with what settings it was built"},
		{binary(""), &Binary{Pkg: "n", Settings: map[string]string{"GOOS": "linux"}}, "the package they test: m and n"},
	} {
		var got []string
		for _, w := range Differences(c.base, c.cand) {
			got = append(got, strings.TrimPrefix(w.Seen, "the two binaries differ in "))
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%q, want %q", s, c.want)
		}
	}
	if w := binary("", "-race", "true", "-cover", "true", "-gcflags", "'all=-N' -l=4").Warnings(); len(w) != 3 {
		t.Error(w)
	}
}

// Binaries that are there run with no module and no go command anywhere.
func TestBare(t *testing.T) {
	f := styles(t, false)
	built := f.binary(t, "good")
	path := filepath.Join(t.TempDir(), "good.test")
	if err := copyFile(path, built.Path); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files(t, dir, map[string]string{"input.txt": "text"})
	readlink, err := exec.LookPath("readlink") // a benchmark runs it
	if err != nil {
		t.Skip(err)
	}
	t.Setenv("PATH", filepath.Dir(readlink))
	t.Chdir(dir)
	g := gocmd.Bare(append(os.Environ(), "PAWL_NAME=x", "GIT_DIR=/y"), gocmd.NewMeter(time.Now()))
	s, err := Bare(g, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(path, "")
	if err != nil {
		t.Fatal(err)
	}
	if s.Clock() != model.ClockRusage || len(s.Warnings()) != 1 || b.Pkg != built.Pkg {
		t.Errorf("%s %v %+v", s.Clock(), s.Warnings(), b)
	}
	found, failed, err := s.Benchmarks(t.Context(), b, "N$|Alloc|Directory|Environment|Skips$", time.Minute)
	names := fmt.Sprint(found)
	if err != nil || len(failed) != 1 || names != "[N Allocs Directory Environment]" {
		t.Errorf("%v %v %v", names, failed, err)
	}
	p, err := s.Calibrate(t.Context(), b, b.benchmark("BenchmarkEnvironment"), 0)
	if err != nil || p.Mode != model.Duet || p.Clock != model.ClockRusage {
		t.Fatalf("%+v %v", p, err)
	}
	c, err := s.Copy(b, "copy")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := s.Duet(t.Context(), b, c, p, DuetOpts{CPU: gocmd.NoCPU})
	if err != nil || pair[0].Clock != model.ClockRusage || pair[1].CPUNs <= 0 {
		t.Errorf("%+v %v", pair, err)
	}
	if _, err := s.Retained(t.Context(), b, p); !errors.Is(err, ErrNoHooks) {
		t.Error(err)
	}
	if _, err := s.Build(t.Context(), f.pkg("good"), "x", gocmd.BuildOpts{}); err == nil || !strings.Contains(err.Error(), "no module") {
		t.Error(err)
	}
	if env := Environment(t.Context(), g); env.GOOS != runtime.GOOS || env.GoVersion != "" {
		t.Errorf("%+v", env)
	}
}

// The name of a benchmark on several processors ends in their number; without
// hooks that is the only name there is.
func TestStockInParallel(t *testing.T) {
	f := styles(t, false)
	b := f.binary(t, "good")
	p := plan(b.benchmark("BenchmarkParallel"), 1000)
	p.Mode, p.Clock = model.Alternate, model.ClockWall
	for _, procs := range []string{"1", "2", "3"} {
		t.Setenv("GOMAXPROCS", procs)
		g := gocmd.Bare(os.Environ(), nil)
		s, err := Bare(g, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		sample, err := s.Slice(t.Context(), b, p, SliceOpts{CPU: gocmd.NoCPU})
		if err != nil || sample.N != 1000 || sample.Benchmark.Name != "BenchmarkParallel" {
			t.Errorf("%s processors: %+v, %v", procs, sample, err)
		}
	}
}

// Allocations of a stock binary are what testing prints: whole ones per op.
func TestRoundedAway(t *testing.T) {
	t.Parallel()
	dir := benchmarked(t)
	files(t, dir, map[string]string{"m_test.go": `package m

import "testing"

var kept []byte

func every(b *testing.B, n int) {
	for i := 0; b.Loop(); i++ {
		if i%n == 0 {
			kept = make([]byte, 256)
		}
	}
}

func BenchmarkNever(b *testing.B) {
	for b.Loop() {
		kept = nil
	}
}

func BenchmarkAlways(b *testing.B) { every(b, 1) }

func BenchmarkFourth(b *testing.B) { every(b, 4) }

func BenchmarkNoTime(b *testing.B) {
	every(b, 1)
	b.ReportMetric(0, "ns/op")
}
`})
	b, err := Open(prebuilt(t, dir, "m.test"), dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Bare(gocmd.Bare(os.Environ(), nil), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range []string{"Never", "Always", "Fourth", "NoTime"} {
		sample, err := s.Slice(t.Context(), b, plan(b.benchmark("Benchmark"+name), 20000), SliceOpts{CPU: gocmd.NoCPU})
		if err != nil {
			t.Error(err)
		}
		got = append(got, fmt.Sprint(name, " ", sample.AllocsPerOp(), " ", sample.BytesPerOp(), " ", RoundedAway(sample)))
	}
	want := []string{"Never 0 0 false", "Always 1 256 false", "Fourth 0 64 true", "NoTime 1 256 false"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
