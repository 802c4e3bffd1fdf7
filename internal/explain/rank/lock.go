package rank

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/words"
)

// waitShare is the part of the goroutines' time that a line's lock has to be
// waited for to be a target.
const waitShare = 0.05

// Waits reports whether the costs of a mutex profile are enough for a target.
func Waits(costs []model.Cost) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(spots(held(costs)))), waits)
}

// held moves the home of each cost out of methods that only hand on the
// unlocking: of a type that wraps a mutex the user's line is what counts.
func held(costs []model.Cost) []model.Cost {
	out := slices.Clone(costs)
	for i, c := range out {
		for at := c.Home; at >= 0 && at+1 < len(c.Stack) && c.Stack[at+1].Module && unlocks(c.Stack[at].Func); at++ {
			out[i].Home = at + 1
		}
	}
	return out
}

func unlocks(fn string) bool {
	return strings.HasSuffix(fn, ".Unlock") || strings.HasSuffix(fn, ".RUnlock")
}

func waits(s *spot) bool { return s.total.Share >= waitShare }

// lockTargets returns the lines that release the locks which are waited for: a
// mutex profile counts the time of all that waited where the lock is given up,
// and that line's function holds it.
func (in Input) lockTargets(bm model.Benchmark) []model.Target {
	var out []model.Target
	for _, s := range spots(held(in.Locks[bm])) {
		if !waits(s) {
			continue
		}
		t := target(s.total)
		t.Share = min(1, t.Share)
		t.Ceiling = t.Share
		t.Reason = model.Reason{Kind: model.ReasonLock, Text: fmt.Sprintf("goroutines wait %.0f %% of their time for a lock that is held up to here", 100*t.Share)}
		if inner := t.Stack[:s.total.Home]; len(inner) > 0 {
			t.Reason.Text += " (" + words.Symbol(inner[len(inner)-1].Func) + ")"
		}
		if x, ok := in.Scaling[bm]; ok {
			t.Reason.Text += scales(x)
		}
		out = append(out, t)
	}
	sorted.By(out, func(a, b model.Target) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.At.String(), b.At.String()))
	})
	return out
}

func scales(x model.Scaling) string {
	return fmt.Sprintf("; with %d processors an op takes %.2f times as long as with one (%.2f to %.2f in %d pairs; %.2f would be perfect)",
		x.Procs, x.Ratio, x.Lo, x.Hi, x.Pairs, 1/float64(x.Procs))
}
