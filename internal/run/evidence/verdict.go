package evidence

import (
	"fmt"
	"math"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/claims"
	"github.com/pawl-dev/pawl/rules/rule"
)

const (
	// leastGain is the smallest gain that counts as one: what the layout of the
	// code alone may do is none.
	leastGain = verdict.LayoutFloor
	// apart is by how much counts that vary have to differ, all runs of one
	// side from all of the other, and apartRuns of how many runs: that happens
	// to equals in less than one comparison in 12,000.
	apart     = 0.1
	apartRuns = 8
)

// A gain is what became of one metric: before ÷ after, +Inf where nothing is
// left.
type gain struct {
	verdict model.EvidenceVerdict // it holds, is not there or is undecided
	ratio   float64
	text    string
}

// decide says what a measurement means for a claim.
func decide(ev *rule.Evidence, a trial.Answer, counts []model.Exact) (model.EvidenceVerdict, string) {
	timed := timeGain(a)
	best := timed
	if ev.Metric == "allocs" {
		best = countGain(counts, a.Samples)
		if a.Verdict.Answer == model.Slower {
			return model.EvidenceNotThere, best.text + ", but " + timed.text
		}
		if timed.verdict == model.EvidenceHolds {
			best.ratio = max(best.ratio, timed.ratio) // the claim does not name one
		}
	}
	if best.verdict != model.EvidenceHolds {
		return best.verdict, best.text
	}
	if short(ev.Ratio, best.ratio) {
		return model.EvidenceWeaker, fmt.Sprintf("%s, less than half of the %s that are claimed", best.text, claims.Times(ev.Ratio))
	}
	return model.EvidenceHolds, best.text
}

// short reports whether a ratio is less than half of what is claimed.
func short(claimed, measured float64) bool {
	switch {
	case claimed <= 1:
		return false
	case claimed < 3:
		return measured-1 < (claimed-1)/2
	default:
		return measured < claimed/2
	}
}

func timeGain(a trial.Answer) gain {
	v := a.Verdict
	g := gain{ratio: 1 / (1 + v.Change)}
	_, lo, hi := ratios(v)
	span := claims.Interval(lo, hi)
	switch v.Answer {
	case model.Faster:
		g.verdict, g.text = model.EvidenceHolds, fmt.Sprintf("%s falls %s%s", v.Metric, claims.Times(g.ratio), span)
	case model.Slower:
		g.verdict, g.text = model.EvidenceNotThere, fmt.Sprintf("%s rises by %.1f %%", v.Metric, 100*v.Change)
	case model.NoEffect:
		g.verdict, g.text = model.EvidenceNotThere, fmt.Sprintf("%s: a gain of %.0f %% or more is excluded", v.Metric, 100*leastGain)
	default:
		g.verdict, g.text = model.EvidenceUndecided, fmt.Sprintf("%s: %s%s is open after %d duets", v.Metric, claims.Times(g.ratio), span, v.Units)
		if a.Layout {
			g.text = fmt.Sprintf("%s: %s%s is not separable from the layout of the code", v.Metric, claims.Times(g.ratio), span)
		}
	}
	return g
}

// ratios turns a relative change and its interval into before ÷ after. An end
// that is not known is 0.
func ratios(v model.Verdict) (ratio, lo, hi float64) {
	ratio = 1 / (1 + v.Change)
	if v.Hi < 1e6 {
		lo = 1 / (1 + v.Hi)
	}
	if v.Lo > -1 {
		hi = 1 / (1 + v.Lo)
	}
	return ratio, lo, hi
}

// countGain reads the counts: allocs/op, and where they stay, B/op.
func countGain(counts []model.Exact, pairs [][2]model.Sample) gain {
	g := gain{verdict: model.EvidenceNotThere, ratio: 1, text: "allocs/op and B/op do not fall"}
	for _, e := range counts {
		text := fmt.Sprintf("%s %s → %s", e.Metric, claims.Number(e.Before), claims.Number(e.After))
		fell := e.Fell() || e.Noisy && fellApart(e.Metric, pairs)
		switch {
		case e.Metric == verdict.Bytes && !e.Noisy && e.After > (1-verdict.BytesShare)*e.Before:
			continue // a rounding of size classes
		case fell:
			return gain{model.EvidenceHolds, quotient(e), text}
		case e.Noisy:
			g = gain{model.EvidenceUndecided, 1, e.Metric + " differs from run to run of one side"}
		case e.Rose():
			return gain{model.EvidenceNotThere, quotient(e), text}
		}
	}
	return g
}

func quotient(e model.Exact) float64 {
	if e.After <= e.Tolerance {
		return math.Inf(1)
	}
	return e.Before / e.After
}

// fellApart reports whether a count that varies fell nevertheless: the least of
// all runs of before is larger than the largest of after.
func fellApart(metric string, pairs [][2]model.Sample) bool {
	of := verdict.PerOp(metric)
	least, most := math.Inf(1), 0.0
	for _, p := range pairs {
		least, most = min(least, of(p[0])), max(most, of(p[1]))
	}
	return len(pairs) >= apartRuns && least*(1-apart) > most
}
