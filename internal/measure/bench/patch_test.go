package bench

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// target returns the path of the testing package's benchmark.go.
func target(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "testing").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "benchmark.go")
}

func installed(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile(target(t))
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func TestPatchInstalled(t *testing.T) {
	t.Parallel()
	src := installed(t)
	out, err := patch([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := strings.Count(src, "\n"), strings.Count(string(out), "\n"); a != b {
		t.Errorf("%d lines became %d: positions in stacks would be off", a, b)
	}
	if n := strings.Count(string(out), "pawl"); n < 12 {
		t.Errorf("%d mentions of pawl in the patched file", n)
	}
}

// A file in which a place is missing, or is there twice, is refused by name.
func TestPatchUnknownShape(t *testing.T) {
	t.Parallel()
	original := installed(t)
	for _, c := range []struct{ name, old, new, want string }{
		{"no field", "type B struct", "type C struct", "struct types B"},
		{"no method", "func (b *B) StopTimer()", "func (b *B) Stop()", "(b *B) StopTimer"},
		{"another receiver", "func (b *B) launch()", "func (c *B) launch()", "(b *B) launch"},
		{"no statement", "b.start = highPrecisionTimeNow()", "b.begin()", `"b.start = …"`},
		{"twice", "\tb.duration = 0\n", "\tb.duration = 0\n\tb.duration = 0\n", "2 statements"},
		{"another operator", "b.duration += highPrecisionTimeSince(b.start)", "b.duration = highPrecisionTimeSince(b.start)", `"b.duration += …"`},
		{"no block", "\tb.benchFunc(b)\n", "\tif b.benchFunc(b); true {}\n", "does not stand in a block"},
		{"no Go", "package testing", "packag testing", "expected 'package'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := strings.Replace(original, c.old, c.new, 1)
			if src == original {
				t.Skip("this toolchain has not got that text")
			}
			if _, err := patch([]byte(src)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestHookIsFormatted(t *testing.T) {
	t.Parallel()
	out, err := format.Source(hookSource)
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != string(hookSource) {
		t.Error("the hook's source is not as gofmt would have it")
	}
}

// Where the user replaces testing/benchmark.go, theirs is what is built, and
// the hooks do not compile with it: rusage takes over and says so.
func TestPrepareFallsBack(t *testing.T) {
	t.Parallel()
	if cache, err := exec.Command("go", "env", "GOMODCACHE").Output(); err == nil && strings.HasPrefix(target(t), strings.TrimSpace(string(cache))) {
		t.Skip("the toolchain is in the module cache, and there the go command lets no user replace a file")
	}
	dir := t.TempDir()
	own := filepath.Join(dir, "benchmark.go")
	if err := os.WriteFile(own, []byte(installed(t)), 0o666); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, []byte(`{"Replace": {"`+target(t)+`": "`+own+`"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.24\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	g, err := gocmd.New(t.Context(), gocmd.Config{Dir: dir, Env: append(os.Environ(), "GOFLAGS=-overlay="+list), GOWORK: "off", State: filepath.Join(dir, "state")})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "state"), 0o777); err != nil {
		t.Fatal(err)
	}
	s, err := Prepare(t.Context(), g, filepath.Join(dir, "scratch"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Clock() != model.ClockRusage || len(s.Warnings()) != 1 || !strings.Contains(s.Warnings()[0].Seen, "does not compile") {
		t.Errorf("clock %s, warnings %v", s.Clock(), s.Warnings())
	}
	if _, err := g.Run(t.Context(), gocmd.Build, "build", "-overlay="+g.Overlay(), "testing"); err != nil {
		t.Errorf("the overlay that is left does not build: %v", err)
	}
}
