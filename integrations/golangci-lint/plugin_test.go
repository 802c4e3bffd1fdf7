package pawlplugin

import (
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis/analysistest"
)

func TestPlugin(t *testing.T) {
	build, err := register.GetPlugin("pawl")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := build(map[string]any{"teir": "all"}); err == nil || !strings.Contains(err.Error(), "teir") {
		t.Errorf("a member that there is none of: error %v", err)
	}
	linter, err := build(map[string]any{"tier": "always"})
	if err != nil {
		t.Fatal(err)
	}
	analyzers, err := linter.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range analyzers {
		if a.Name == "splitcut" {
			analysistest.Run(t, analysistest.TestData(), a, "m")
			return
		}
	}
	t.Fatalf("splitcut is not among %d analyzers", len(analyzers))
}
