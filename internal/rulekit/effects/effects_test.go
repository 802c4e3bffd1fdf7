package effects

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// The facts of a, and what b makes of them.
func TestFacts(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Analyzer, "a", "b")
}
