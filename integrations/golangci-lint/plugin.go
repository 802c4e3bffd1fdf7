// Package pawlplugin runs pawl's rules inside golangci-lint, by its module
// plugin system. README.md shows the two files that it takes.
package pawlplugin

import (
	"fmt"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

func init() { register.Plugin("pawl", New) }

// Settings are the members of linters.settings.custom.pawl.settings in
// .golangci.yml. Each is the flag -pawl.NAME of go vet -vettool=pawl.
type Settings struct {
	Tier     string `json:"tier"`     // always, profiled, special or all
	Heat     string `json:"heat"`     // a file that pawl heat wrote
	Baseline string `json:"baseline"` // a file that pawl find -write-baseline wrote
	Config   string `json:"config"`   // .pawl.json
}

type plugin struct{}

// New returns the linter with the settings that golangci-lint read; nil is none.
func New(conf any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](conf)
	if err != nil {
		return nil, fmt.Errorf("linters.settings.custom.pawl.settings: %w", err)
	}
	for name, value := range map[string]string{
		"tier": s.Tier, "heat": s.Heat, "baseline": s.Baseline, "config": s.Config,
		"nolint": "false", // golangci-lint follows these itself, and reports those that silence nothing
	} {
		if err := rule.Settings.Flags.Set(name, value); err != nil {
			return nil, fmt.Errorf("linters.settings.custom.pawl.settings: %s: %w", name, err)
		}
	}
	return plugin{}, nil
}

// BuildAnalyzers returns the rules, and what looks at their directives.
func (plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) { return catalogue.Analyzers(), nil }

// GetLoadMode says that the rules need types.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
