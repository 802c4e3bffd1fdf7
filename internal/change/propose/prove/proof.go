package prove

import (
	"io/fs"

	"github.com/pawl-dev/pawl/rules/rule"
)

// Evidence is the evidence of the transformation of this name, in
// proofs/name/testdata/evidence: before.go, whose marked line is the target,
// after.go, which is what the transformation makes of it, and the two tests
// that every Evidence has.
func Evidence(proofs fs.FS, name, bench, metric, claimed string, ratio float64) *rule.Evidence {
	files, err := fs.Sub(proofs, "proofs/"+name)
	if err != nil {
		panic(err) // the name is not a path
	}
	return &rule.Evidence{Files: files, Bench: bench, Metric: metric, Claimed: claimed, Ratio: ratio}
}
