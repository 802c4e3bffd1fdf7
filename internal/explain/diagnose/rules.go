package diagnose

import (
	"slices"

	"github.com/pawl-dev/pawl/internal/explain/sign"
	"github.com/pawl-dev/pawl/internal/model"
)

// ofCalls returns the rules for what lines are seen to call, those of the
// costliest line first.
func ofCalls(lines []model.SignCaller) []string {
	var out []string
	for _, l := range lines {
		if rule, ok := sign.OfCall(l.Via); ok && !slices.Contains(out, rule) {
			out = append(out, rule)
		}
	}
	return out
}

// nameRules puts the rules into a sign whose lines are known.
func nameRules(s sign.Sign, out *model.Sign) {
	rules := s.Rules
	if s.ByCall {
		if seen := ofCalls(out.Callers); len(seen) > 0 {
			rules = append(seen, s.Always...)
		}
	}
	out.Rules = sign.Rules(rules)
}

// seen begins what is said of a sign that was seen.
func seen(s sign.Sign) model.Sign {
	return model.Sign{
		Name: s.Name, Title: s.Title, What: s.What, Idle: s.Idle, Threshold: s.Threshold, Least: s.Least,
		Meaning: s.Meaning, Lever: s.Lever, Before: s.Before, Gap: s.Gap,
	}
}
