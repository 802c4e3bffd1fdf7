package logstack

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// TestLoggers looks at loggers outside the standard library, of which testdata
// holds what the rule needs.
func TestLoggers(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Analyzer, "others")
}
