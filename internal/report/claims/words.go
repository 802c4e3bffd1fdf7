package claims

import (
	"fmt"
	"math"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// Times writes a ratio of before to after: "4.92x".
func Times(r float64) string {
	switch {
	case math.IsInf(r, 1):
		return "∞x"
	case r >= 100:
		return fmt.Sprintf("%.0fx", r)
	case r >= 10:
		return fmt.Sprintf("%.1fx", r)
	default:
		return fmt.Sprintf("%.2fx", r)
	}
}

// Number writes a count per op with the fraction that it has, if it has one
// and is small.
func Number(x float64) string {
	if math.Abs(x-math.Round(x)) < 0.005 || x >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// Interval writes the ends of a ratio, behind a blank; "" where an end is not
// known.
func Interval(lo, hi float64) string {
	if lo <= 0 || hi <= 0 {
		return ""
	}
	return fmt.Sprintf(" [%s, %s]", strings.TrimSuffix(Times(lo), "x"), strings.TrimSuffix(Times(hi), "x"))
}

// Measured writes the ratio with its interval: "cpu/op 4.92x [4.81, 5.03]"; ""
// where nothing was measured.
func Measured(r *model.EvidenceResult) string {
	if r.Judged == nil {
		return ""
	}
	return r.Judged.Metric + " " + Times(r.Ratio) + Interval(r.RatioLo, r.RatioHi)
}

// change writes a count before and after: "1 → 0", "≈12.3 → ≈4".
func change(r *model.EvidenceResult, metric string) string {
	e, ok := r.Count(metric)
	switch {
	case !ok:
		return ""
	case e.Noisy:
		return "≈" + Number(e.Before) + " → ≈" + Number(e.After)
	case e.Equal():
		return Number(e.After)
	}
	return Number(e.Before) + " → " + Number(e.After)
}

func claim(r *model.EvidenceResult) string {
	if r.ClaimedRatio > 0 {
		return r.Metric + " " + Times(r.ClaimedRatio)
	}
	return r.Metric
}

func summary(r *model.Evidence) string {
	var parts []string
	for _, v := range []struct {
		verdict model.EvidenceVerdict
		one     string
		many    string
	}{
		{model.EvidenceHolds, "1 holds", "%d hold"}, {model.EvidenceWeaker, "1 is weaker than claimed", "%d are weaker than claimed"},
		{model.EvidenceNotThere, "the gain of 1 is not there", "the gain of %d is not there"},
		{model.EvidenceUndecided, "1 is undecided", "%d are undecided"}, {model.EvidenceFailed, "1 failed", "%d failed"},
	} {
		switch n := r.Count(v.verdict); n {
		case 0:
		case 1:
			parts = append(parts, v.one)
		default:
			parts = append(parts, fmt.Sprintf(v.many, n))
		}
	}
	if len(parts) == 0 {
		return "None of these has evidence to run."
	}
	return fmt.Sprintf("The evidence of %s: %s.", words.Plural(len(r.Results), "rule"), strings.Join(parts, ", "))
}

// on says what the verdicts are about.
func on(env model.Environment) string {
	s := env.GoVersion + " " + env.GOOS + "/" + env.GOARCH
	if env.CPU != "" {
		s += " on " + env.CPU
	}
	return s
}

// A group is exempt rules with one reason.
type group struct {
	why   string
	rules []model.EvidenceExemption
}

// fewMissing is up to how many entries without a rule are given with their own
// reasons: who names one asks for it.
const fewMissing = 5

const manyMissing = "there is no rule; pawl rules ID says why"

// groups puts together what is exempt for the same reason, in the order in
// which the reasons come first; many entries without a rule come last, as one.
func groups(all []model.EvidenceExemption) []group {
	var out []group
	missing := group{why: manyMissing}
	for _, e := range all {
		if e.NoRule {
			missing.rules = append(missing.rules, e)
		}
	}
	at := make(map[string]int)
	for _, e := range all {
		if e.NoRule && len(missing.rules) > fewMissing {
			continue
		}
		i, ok := at[e.Why]
		if !ok {
			i = len(out)
			at[e.Why] = i
			out = append(out, group{why: e.Why})
		}
		out[i].rules = append(out[i].rules, e)
	}
	if len(missing.rules) > fewMissing {
		out = append(out, missing)
	}
	return out
}

// names lists the rules of a group with their ids; of entries without a rule,
// where they are many, the ids alone.
func (g group) names(format string) string {
	var all []string
	for _, e := range g.rules {
		ids := strings.Join(e.IDs, " ")
		if g.why == manyMissing {
			all = append(all, ids)
		} else {
			all = append(all, fmt.Sprintf(format, e.Rule, ids))
		}
	}
	return strings.Join(all, ", ")
}
