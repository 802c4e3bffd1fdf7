package find

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Eight programs whose behaviour the automatic fixes of an earlier linter
// changed. Whatever the rules find in them, no fix of any class may.
func TestHazards(t *testing.T) {
	src, err := os.ReadFile("testdata/hazards/main.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := files(t, map[string]string{"main.go": string(src)})
	const want = "false true hello abc\n2 1 true 11 1 <nil><nil>x 1\ntrue true false\n"
	output := func() string {
		cmd := exec.CommandContext(t.Context(), "go", "run", ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go run: %v\n%s", err, out)
		}
		return string(out)
	}
	if got := output(); got != want {
		t.Fatalf("before any fix: %q, want %q", got, want)
	}
	o := Options{Dir: dir, Tier: "all"}
	for _, classes := range []string{"A", "AB"} {
		f := run(t, o)
		t.Logf("found %s", strings.Join(places(f), ", "))
		fixed, err := Fix(t.Context(), Options{Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, f, classes)
		if err != nil {
			t.Fatal(err)
		}
		if err := fixed.Write(); err != nil {
			t.Fatal(err)
		}
		if got := output(); got != want {
			now, _ := os.ReadFile(filepath.Join(dir, "main.go"))
			t.Errorf("after fixes of class %s: %q, want %q\n%s", classes, got, want, now)
		}
	}
}
