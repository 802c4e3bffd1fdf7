package bigcopy

import (
	"testing"

	"github.com/pawl-dev/pawl/rules/ruletest"
)

func TestFindings(t *testing.T) { ruletest.Run(t, Rule, Analyzer, "a", "tested") }
func TestEvidence(t *testing.T) { ruletest.Evidence(t, Rule, Analyzer) }
