package optimize

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/run/optimize/attempt"
	"github.com/pawl-dev/pawl/internal/words"
)

// left returns how much of the budget is left.
func (s *Session) left() time.Duration { return s.opt.Budget - time.Since(s.start) }

// forTrying returns how much of it is left for finding and trying.
func (s *Session) forTrying() time.Duration { return max(0, s.left()-s.reserve()) }

// What comparing original and final takes: pairs of fresh links, and a share of
// the budget at most, since a small one would leave nothing to compare. It is less
// as long as nothing was kept.
const (
	linkTakes    = time.Second // of one pair
	duetsPerLink = 2
	reserveMost  = 0.3
	reserveFirst = 0.15
)

// reserve is what is set aside for ending in order: writing what was found, and
// comparing original and final where something was kept or may yet be.
func (s *Session) reserve() time.Duration {
	need := endLeast
	if s.opt.Verb != "optimize" {
		return need
	}
	pkgs := make(map[string]bool)
	for _, p := range s.Run.Plans {
		if !s.moves(p) {
			continue
		}
		pkgs[p.Benchmark.Pkg] = true
		need += besides(p) + time.Duration(finalUnits*duetsPerLink*s.offers.noise(p.Benchmark).DuetNs)
	}
	need += time.Duration(len(pkgs)*finalUnits) * linkTakes
	most := reserveMost
	if s.now == s.orig {
		most = reserveFirst
	}
	return min(need, time.Duration(most*float64(s.opt.Budget)))
}

// moves reports whether a benchmark is to be compared at the end, as far as it is
// known by now. Before anything was kept one will be.
func (s *Session) moves(p model.Plan) bool {
	if s.now == s.orig {
		return p.Benchmark == s.Run.Plans[0].Benchmark
	}
	return !s.now.SameProgram(s.orig, p.Benchmark.Pkg)
}

// spent reports whether the budget is, and notes then that it is the reason why
// n candidates are left. What cannot come to an end in it is not begun: the next
// one is taken to last as long as those before it did.
func (s *Session) spent(n int, left string) bool {
	if n == 0 || s.forTrying() > s.pace() {
		return false
	}
	s.Run.Stopped = fmt.Sprintf("budget of %s used up, with %s %s", words.Duration(s.opt.Budget), words.Plural(n, "idea"), left)
	return true
}

// pace is half of the time that a change has taken so far, proofs apart.
func (s *Session) pace() time.Duration {
	if s.tries == 0 {
		return 0
	}
	return s.trying / time.Duration(2*s.tries)
}

// tryGrace is how much longer than the time for trying what is under way may
// take.
const tryGrace = 2 * time.Second

// limited ends with the time for trying: builds, tests and proofs, which know of
// no budget, end with it. A run about one change alone has all of its time for
// that.
func (s *Session) limited(ctx context.Context, policy attempt.Policy) (context.Context, context.CancelFunc) {
	if policy.EndsRun() {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, s.forTrying()+tryGrace)
}

// toTheEnd ends when the run has to. A proof may take what was set aside for
// comparing original and final: without it there may be nothing to compare.
func (s *Session) toTheEnd(ctx context.Context, policy attempt.Policy) (context.Context, context.CancelFunc) {
	if policy.EndsRun() {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, max(0, s.left()-endLeast))
}

// errNoTime is why an attempt ended with the budget.
var errNoTime = errors.New("the time for trying was over")

// late reports whether what limited has ended is the time for trying.
func late(ctx, limited context.Context) bool { return ctx.Err() == nil && limited.Err() != nil }
