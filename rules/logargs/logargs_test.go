package logargs

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/pawl-dev/pawl/rules/ruletest"
)

func TestFindings(t *testing.T) { ruletest.Run(t, Rule, Analyzer, "a", "on") }
func TestEvidence(t *testing.T) { ruletest.Evidence(t, Rule, Analyzer) }

// TestLoggers looks at loggers outside the standard library, of which testdata
// holds what the rule needs.
func TestLoggers(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Analyzer, "others")
}
