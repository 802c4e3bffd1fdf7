// Package rules holds the code that each rule below it is proven with. What the rules are, package catalogue tells.
package rules

import "embed"

// Evidence has NAME/testdata/evidence of each rule: see rule.Evidence.
//
//go:embed */testdata/evidence
var Evidence embed.FS
