package catalogue

import (
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/rulekit/ruletest"
)

// TestRules tests every rule on its evidence, and on the packages in its testdata/src: loading those type-checks much of the
// standard library for each rule, so the default run draws some of them.
func TestRules(t *testing.T) {
	ruletest.Everything(t)
	var all, proven []ruletest.Subject
	for _, e := range All() {
		if e.Analyzer == nil {
			continue
		}
		dir, err := filepath.Abs(filepath.Join("..", e.Rule.Name))
		if err != nil {
			t.Fatal(err)
		}
		s := ruletest.Subject{Dir: dir, Rule: e.Rule, Analyzer: e.Analyzer}
		all = append(all, s)
		if e.Rule.Evidence != nil && e.Rule.Evidence.Exempt == "" {
			proven = append(proven, s)
		}
	}
	t.Run("evidence", func(t *testing.T) { ruletest.Evidence(t, all) })
	t.Run("findings", func(t *testing.T) {
		for _, s := range sample.Part(all, 8) {
			t.Run(s.Rule.Name, func(t *testing.T) {
				t.Parallel()
				ruletest.Run(t, s, packages(t, s.Dir)...)
			})
		}
	})
	t.Run("equal", func(t *testing.T) {
		for _, s := range sample.Part(proven, 16) {
			t.Run(s.Rule.Name, func(t *testing.T) {
				t.Parallel()
				ruletest.Equal(t, s.Rule)
			})
		}
	})
}

// packages returns the packages of a rule's testdata that have golden files where the rule has fixes. A name with a dot stands
// for another module, and "others" uses these: the rule's own package tests it, without fixes.
func packages(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "testdata", "src"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return slices.DeleteFunc(names, func(name string) bool {
		// From Go 1.27 on the go command refuses to build what asks for the old timers.
		refused := filepath.Base(dir) == "timeafter" && name == "asked" && version.Compare(runtime.Version(), "go1.27") >= 0
		return strings.Contains(name, ".") || name == "others" || refused
	})
}
