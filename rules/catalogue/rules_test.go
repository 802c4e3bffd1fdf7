package catalogue

import (
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/rulekit/ruletest"
)

// TestRules tests every rule on its evidence, and on the packages in its testdata/src. Whether the evidence behaves the same is
// compiled and run, of which the default run draws some.
func TestRules(t *testing.T) {
	// Much of the standard library is type-checked, and nearly all of it stays: what collecting garbage costs here, it costs in vain.
	defer debug.SetGCPercent(debug.SetGCPercent(300))
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
	t.Run("findings", func(t *testing.T) { ruletest.Findings(t, all) })
	t.Run("equal", func(t *testing.T) {
		for _, s := range sample.Part(proven, 16) {
			t.Run(s.Rule.Name, func(t *testing.T) {
				t.Parallel()
				ruletest.Equal(t, s.Rule)
			})
		}
	})
}
