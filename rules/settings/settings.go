// Package settings exports the analyzer that carries the rules' flags, for
// drivers such as Bazel's nogo that take an Analyzer from each package.
package settings

import "github.com/pawl-dev/pawl/rules/rule"

// Analyzer is rule.Settings.
var Analyzer = rule.Settings
