package trial

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/pawl-dev/pawl/internal/measure/verdict"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/judge"
)

// The default link gets four duets, two where these say nothing new. They show a
// large difference only: with a noise of 2.5 % a duet, chance alone shows one in
// 2 of 100 comparisons.
const (
	defaultFirst = 2
	defaultDuets = 4
)

// besideDefault adds to an answer about two sources what their default link
// gives, where that is clearly something else: it is what go test shows. Without
// the time for it, or a default link, it adds nothing.
func (t *Trial) besideDefault(ctx context.Context, q Question, a *Answer) error {
	per := time.Duration(a.Seconds / float64(max(1, len(a.Samples))) * float64(time.Second))
	late := !q.Deadline.IsZero() && time.Until(q.Deadline) < 2*defaultDuets*per // half of that for the links
	if q.Links == nil || q.Metric != nil || late || q.Rules.Judge.Kind != judge.Regress || q.Rules.AtFloor || a.Verdict.Answer == model.Undecided {
		return nil
	}
	base, cand, err := q.Links.Default(ctx)
	if err != nil || base == nil || cand == nil {
		return ctx.Err()
	}
	var ds []float64
	for i := range defaultDuets {
		pair, err := t.run(ctx, q.Plan, base, cand, Unit{Index: i, Fresh: i == 0})
		if err != nil {
			return err
		}
		d, err := logRatio(q.Plan, pair)
		if err != nil {
			return err
		}
		ds = append(ds, math.Expm1(d))
		if _, ok := unlike(ds, a.Verdict); !ok && len(ds) >= defaultFirst {
			return nil
		}
	}
	if change, ok := unlike(ds, a.Verdict); ok {
		a.Verdict.Warnings = append(a.Verdict.Warnings, model.Warning{
			Seen:  fmt.Sprintf("as the linker puts functions by default, the two differ by %s (%d duets); the verdict is about the sources", words.Signed(change), defaultDuets),
			Cause: "some functions start in the middle of a cache line, and any edit makes it others; for the verdict all of them start one, on both sides",
			Try:   "go build -ldflags=-funcalign=64, where this benchmark matters",
		})
	}
	return nil
}

// unlike returns the median of some changes where all of them lie outside of a
// verdict's interval, on one side, and it is further from the verdict than
// measured layouts with aligned functions are.
func unlike(changes []float64, v model.Verdict) (float64, bool) {
	above, below := 0, 0
	for _, c := range changes {
		switch {
		case c > v.Hi:
			above++
		case c < v.Lo:
			below++
		}
	}
	m := verdict.Median(changes)
	return m, max(above, below) == len(changes) && math.Abs(m-v.Change) >= verdict.LayoutFloor
}
