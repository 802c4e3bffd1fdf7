package catalogue

import (
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
)

// All rules look at generic methods, which Go 1.27 brought, as they look at
// others: comments say what they find, and what their fixes make compiles.
func TestGenericMethods(t *testing.T) {
	if version.Compare(runtime.Version(), "go1.27") < 0 {
		t.Skipf("generic methods came with Go 1.27, and this is %s", runtime.Version())
	}
	showAll(t)
	src, err := os.ReadFile("testdata/generic.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module generic\n\ngo 1.27\n"))
	name := filepath.Join(dir, "generic.go")
	var want, got []string
	for i, line := range strings.Split(string(src), "\n") {
		if _, rules, ok := strings.Cut(line, " // "); ok {
			want = append(want, strconv.Itoa(i+1)+" "+rules)
		}
	}
	write(t, name, src)
	var all []*analysis.Analyzer
	for _, e := range All() {
		if e.Analyzer != nil {
			all = append(all, e.Analyzer)
		}
	}
	graph, err := analyze(dir, []string{"."}, all...)
	if err != nil {
		t.Fatal(err)
	}
	fixed := map[string][]byte{}
	for _, act := range graph.Roots {
		found := foundBy(t, act)
		for _, report := range found.reports {
			got = append(got, strings.Split(report, ":")[1]+" "+act.Analyzer.Name)
		}
		for _, text := range found.fixed {
			fixed[act.Analyzer.Name] = text
		}
	}
	for rule, text := range fixed {
		write(t, name, text)
		cmd := exec.CommandContext(t.Context(), "go", "build", "./...")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("what the fix of %s makes: %v\n%s", rule, err, out)
		}
	}
	byLine := func(a, b string) int {
		x, _ := strconv.Atoi(strings.Fields(a)[0])
		y, _ := strconv.Atoi(strings.Fields(b)[0])
		return x - y
	}
	slices.SortStableFunc(got, byLine)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
