package attempt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
)

// A trade is what the benchmarks that judge a change have gained and lost. A change that
// loses anything is not kept, unless a person allows that for what is gained.
type trade struct {
	won, lost []string // reasons, one a benchmark
	gains     bool     // something is better for certain, perhaps in a benchmark that lost something else
}

// add takes in one benchmark: what was measured, and what decide made of it.
func (d *trade) add(a trial.Answer, counts []model.Exact, o model.Outcome, reason string) {
	switch {
	case o.Kept():
		d.won, d.gains = append(d.won, reason), true
	case a.Verdict.Answer == model.Slower:
		d.lost, d.gains = append(d.lost, reason), d.gains || fell(counts, "allocs/op")
	case Rose(counts, "allocs/op"):
		faster := a.Verdict.Answer == model.Faster && (a.Linked || !verdict.NeedsLinks(a.Verdict))
		if faster {
			reason += "; " + speed(a)
		}
		d.lost, d.gains = append(d.lost, reason), d.gains || faster
	}
}

// outcome is what becomes of a change that loses something, and why.
func (d *trade) outcome(allowed bool) (model.Outcome, string) {
	if !allowed || !d.gains {
		return model.RolledBack, d.lost[0]
	}
	return model.Kept, Join(d.won...)
}

// price is what is lost.
func (d *trade) price() string { return strings.Join(d.lost, "; ") }

// pay notes what is lost by a change that is kept all the same.
func (t *subject) pay(lost string) {
	t.Price = Join(t.Price, lost)
	t.Reason = Join(t.Reason, "at the price that is allowed: "+lost)
}

// allowsTrades reports whether a user lets the change lose something for what it gains.
func (t *subject) allowsTrades() bool {
	return t.policy.trades && slices.Contains(t.p.Allow, model.SuspectTrade)
}

// countedWorse takes in the benchmarks that allocate more by the first count, and that do not judge the change.
func (t *measuring) countedWorse() {
	judged := benchmarksOf(t.jury().judges())
	for _, counts := range t.p.rising {
		if bm := counts[0].Benchmark; !slices.Contains(judged, bm) {
			t.trade.lost = append(t.trade.lost, allocatesMore(counts))
			t.Counts = append(t.Counts, counts...)
		}
	}
}

// allocatesMore says so of the benchmark of counts.
func allocatesMore(counts []model.Exact) string {
	return fmt.Sprintf("allocates more: %s: %s", counts[0].Benchmark, countsText(counts))
}
