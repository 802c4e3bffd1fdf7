package evidence

import (
	"encoding/json"
	"fmt"
	"go/version"
	"os"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/claims"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Claims are what rules say that their fixes gain.
func Claims(rules []rule.Rule) []claims.Claim {
	out := make([]claims.Claim, len(rules))
	for i, r := range rules {
		c := claims.Claim{
			EvidenceResult: model.EvidenceResult{Rule: r.Name, IDs: r.IDs}, Exempt: Exempt(r), Missing: r.Missing != "",
			Transformation: len(r.Seeds) == 0 && !r.Own(), Ends: func(goVersion string) string { return ends(r, goVersion) },
		}
		if ev := r.Evidence; ev != nil {
			c.Metric, c.ClaimedRatio, c.Claimed = ev.Metric, ev.Ratio, ev.Claimed
		}
		out[i] = c
	}
	return out
}

// Exempt says why there is no evidence to run for a rule; "" when there is.
func Exempt(r rule.Rule) string {
	switch {
	case r.Missing != "":
		return r.Missing
	case r.Evidence == nil:
		return "no evidence yet"
	}
	return r.Evidence.Exempt
}

// ReadReport reads a report that was written as JSON.
func ReadReport(name string) (*model.Evidence, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading a run of pawl evidence: %w", err)
	}
	rep := new(model.Evidence)
	if err := json.Unmarshal(data, rep); err != nil {
		return nil, fmt.Errorf("%s is not what pawl evidence -json writes: %w", name, err)
	}
	if rep.Schema != model.EvidenceSchema || !version.IsValid(rep.Env.GoVersion) {
		return nil, fmt.Errorf("%s is not what this pawl evidence -json writes: schema %d, Go version %q", name, rep.Schema, rep.Env.GoVersion)
	}
	return rep, nil
}
