package find

import (
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/rules/catalogue"
)

// ended reports whether what a rule is about is no longer true of this Go release.
func ended(e catalogue.Entry) bool {
	return e.Rule.Until != "" && version.Compare(version.Lang(runtime.Version()), e.Rule.Until) > 0
}

// Every rule finds what it was written for, in one run with all the others, in
// this driver: the code that its tests call bad.
func TestRecall(t *testing.T) {
	dir := files(t, map[string]string{})
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.25\n"), 0o600); err != nil { // what gomaxprocs is about begins there
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, e := range catalogue.All() {
		if e.Analyzer == nil {
			continue
		}
		from := filepath.Join("..", "..", "..", "rules", e.Rule.Name, "testdata", "src", "a")
		if err := os.CopyFS(filepath.Join(dir, e.Rule.Name), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		if !ended(e) {
			want[e.Rule.Name] = true
		}
	}
	f := run(t, Options{Dir: dir, Patterns: []string{"./..."}, Tier: "all"})
	for _, x := range f.Findings {
		if x.Pkg == "m/"+x.Rule {
			delete(want, x.Rule)
		}
	}
	for name := range want {
		t.Errorf("rule %s does not find its own bad code", name)
	}
	for _, w := range f.Warnings {
		if !strings.Contains(w.Seen, "C only: cgobatch/a.go") {
			t.Errorf("%s", w.Seen)
		}
	}
}
