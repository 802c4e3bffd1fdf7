package experiments

import (
	"io"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/figure"
	"github.com/pawl-dev/pawl/internal/report/findings"
)

// SARIF writes the profiles for the compiler that are stale as a SARIF 2.1.0 log.
func SARIF(w io.Writer, t *model.Tuning) error {
	f := &model.Findings{Tool: t.Tool}
	for _, p := range t.PGO {
		if p.Stale == "" {
			continue
		}
		at := model.Pos{File: p.File, Line: 1, Col: 1}
		f.Findings = append(f.Findings, model.Finding{
			Rule: "pgo", IDs: []string{"B05"}, Title: "no profile for the compiler, or an old one", Tier: "always", Pkg: p.Main,
			At: at, End: at, Message: stale(p) + " " + mapped(p.Fresh), Try: figure.Shell(p.Fresher...), Hash: p.File,
		})
	}
	return findings.SARIF(w, f)
}
