package gen

import (
	"fmt"

	"github.com/pawl-dev/pawl/rules/rule"
)

// A part is one piece of what a rule declares about itself.
type part struct{ head, text string }

func parts(r rule.Rule) []part {
	var out []part
	for _, p := range []part{
		{"Why", r.Why}, {"When not", r.WhenNot}, {"What it does not keep or see", r.Gap}, {"In a profile", r.Signature},
	} {
		if p.text != "" {
			out = append(out, p)
		}
	}
	return out
}

// claim says what the evidence of a rule is; "" for an entry without a rule.
func claim(r rule.Rule) string {
	ev := r.Evidence
	switch {
	case r.Missing != "":
		return ""
	case ev == nil:
		return "none yet"
	case ev.Exempt != "":
		return "none, since " + ev.Exempt
	case ev.Ratio > 0:
		return fmt.Sprintf("%s (%s, %gx claimed): %s", ev.Bench, ev.Metric, ev.Ratio, ev.Claimed)
	}
	return fmt.Sprintf("%s (%s): %s", ev.Bench, ev.Metric, ev.Claimed)
}
