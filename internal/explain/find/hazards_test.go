package find

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Functions whose behaviour the automatic fixes of an earlier linter changed, and those
// of pawl's own rules once did. Whatever the rules find in them, no fix of class A may; in
// those of the earlier linter, of no class.
func TestHazards(t *testing.T) {
	src, err := os.ReadFile("testdata/hazards/main.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := files(t, map[string]string{"main.go": string(src)})
	const want = "false true hello abc\n2 1 true 11 1 <nil><nil>x 1\ntrue true false\n"
	const ours = "2 set 09 setlevel=INFO msg=hi n=12345\nheard-texttruefalse16 16\nlevel=INFO msg=hi n=20 set=20\n [0 7] [0 0] bb\n"
	output := func() string {
		cmd := exec.CommandContext(t.Context(), "go", "run", ".")
		cmd.Dir, cmd.Env = dir, environ()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go run: %v\n%s", err, out)
		}
		return string(out)
	}
	if got := output(); got != want+ours {
		t.Fatalf("before any fix: %q, want %q", got, want+ours)
	}
	o := Options{Dir: dir, Tier: "all"}
	for _, classes := range []string{"A", "AB"} {
		f := run(t, o)
		t.Logf("found %s", strings.Join(places(f), ", "))
		fixed, err := Fix(t.Context(), Options{Dir: dir, Env: environ()}, f, classes)
		if err != nil {
			t.Fatal(err)
		}
		if err := fixed.Write(); err != nil {
			t.Fatal(err)
		}
		if got := output(); !strings.HasPrefix(got, want) || classes == "A" && got != want+ours {
			now, _ := os.ReadFile(filepath.Join(dir, "main.go"))
			t.Errorf("after fixes of class %s: %q, want %q\n%s", classes, got, want+ours, now)
		}
	}
}

// Eighty functions that are legal, unusual, and of a shape that a fix of class A is for: what
// they print stays the same with all of those fixes, and none of the fixes breaks the build.
func TestAwkward(t *testing.T) {
	dir := files(t, map[string]string{})
	if err := os.CopyFS(dir, os.DirFS("testdata/awkward")); err != nil {
		t.Fatal(err)
	}
	output := func() string {
		cmd := exec.CommandContext(t.Context(), "go", "run", ".")
		cmd.Dir, cmd.Env = dir, environ()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("go run: %v", err)
		}
		return string(out)
	}
	before := output()
	for range 2 { // what overlapped is made the second time
		f := run(t, Options{Dir: dir, Tier: "all"})
		fixed, err := Fix(t.Context(), Options{Dir: dir, Env: environ()}, f, "A")
		if err != nil {
			t.Fatal(err)
		}
		if err := fixed.Write(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d fixes made, %d left", len(fixed.Applied), len(fixed.Left))
		for _, l := range fixed.Left {
			if strings.Contains(l.Why, "type-check") {
				t.Errorf("%s: the fix of %s: %s", l.At, l.Rule, l.Why)
			}
		}
	}
	if diff := cmp.Diff(strings.Split(before, "\n"), strings.Split(output(), "\n")); diff != "" {
		now, _ := os.ReadFile(filepath.Join(dir, "main.go"))
		t.Errorf("(-before +after)\n%s\n%s", diff, now)
	}
}

// Where go.mod brings the old timers back, a value that comes late would look like a timeout.
func TestOldTimers(t *testing.T) {
	const src = `package main

import "time"

func main() {
	ch := make(chan int, 1)
	for range 3 {
		select {
		case <-ch:
		case <-time.After(time.Millisecond):
		}
	}
}
`
	dir := files(t, map[string]string{"main.go": src})
	for _, c := range []struct{ mod, class string }{
		{"", "A"}, {"godebug asynctimerchan=1\n", "B"}, {"godebug (\n\tdefault=go1.22\n)\n", "B"}, {"godebug http2client=0\n", "A"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.24\n\n"+c.mod), 0o666); err != nil {
			t.Fatal(err)
		}
		list := exec.Command("go", "list")
		list.Dir = dir
		if out, err := list.CombinedOutput(); err != nil && strings.Contains(string(out), "removed GODEBUG") {
			t.Logf("%s", out) // from Go 1.27 on there are no old timers
			continue
		}
		if f := run(t, Options{Dir: dir, Tier: "all"}); len(f.Findings) != 1 || f.Findings[0].Class != c.class {
			t.Errorf("with %q: %+v, want one of class %s", c.mod, f.Findings, c.class)
		}
	}
}
