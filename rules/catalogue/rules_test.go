package catalogue

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/proofs"
	"github.com/pawl-dev/pawl/internal/lab/sample"
)

// TestRules tests every rule on its evidence, and on the packages in its testdata/src. Whether the evidence behaves the same is
// compiled and run; the default run draws some.
func TestRules(t *testing.T) {
	showAll(t)
	var all, proven []subject
	for _, e := range All() {
		if e.Analyzer == nil {
			continue
		}
		dir, err := filepath.Abs(filepath.Join("..", e.Rule.Name))
		if err != nil {
			t.Fatal(err)
		}
		s := subject{Dir: dir, Rule: e.Rule, Analyzer: e.Analyzer}
		all = append(all, s)
		if e.Rule.Evidence != nil && e.Rule.Evidence.Exempt == "" && !over(e.Rule) {
			proven = append(proven, s)
		}
	}
	t.Run("evidence", func(t *testing.T) { testEvidence(t, all) })
	t.Run("findings", func(t *testing.T) { testFindings(t, all) })
	t.Run("equal", func(t *testing.T) {
		files := map[string]fs.FS{}
		for _, s := range sample.Part(proven, 16) {
			files[s.Rule.Name] = s.Rule.Evidence.Files
		}
		if err := proofs.Of(t, files).Equal(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
