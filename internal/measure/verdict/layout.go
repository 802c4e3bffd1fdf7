package verdict

import (
	"fmt"
	"math"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// LayoutFloor is the relative difference that the layout of the code alone can
// make between two builds: the spread over never-called functions added to
// encoding/json and compress/flate was 1.0 to 1.6 % (one standard deviation)
// and up to 4.6 %. A smaller difference between two builds is no evidence
// about their sources.
const LayoutFloor = 0.03

// LayoutReach is the relative difference from which on an estimate stands
// without fresh links: twice the largest that a function that is never called
// has been seen to make. On one processor that was 4.6 % (encoding/json), on
// another 16.5 %, in three runs out of three (the byte loop of gjson's Valid,
// whose branches fell into other lines of the instruction cache).
const LayoutReach = 0.35

// NeedsLinks reports whether an answer on one link of each side says too
// little about their sources.
func NeedsLinks(v model.Verdict) bool {
	return claims(v) && math.Abs(v.Change) < LayoutReach
}

// DoubtShare is the part of the smallest effect that counts from which on an
// estimate on one link of each side is more likely to be claimed than excluded.
const DoubtShare = 0.5

// Looks is how many pairs of fresh links are looked at before two sources are
// called equally fast.
const Looks = 2

// Look takes the log ratios of fresh links into an answer of no effect that rests on one
// link of each side. It reports whether that link and these show none together. In some
// benchmarks the luck of a link is as large as the effects that are asked for. Simulated,
// two links leave 28 of 300 effects of 2 % unseen where the luck is 1.8 %, and 8 where it
// is 0.3 %; without them 72 and 16 are. Links with their functions in one order have
// little of that luck: what the one link says beside them is left out.
func (a *Answer) Look(r Rules, links []float64, ordered bool) bool {
	sum, n := 0.0, len(links)
	if !ordered {
		sum, n = math.Log1p(a.Verdict.Change), 1+n
	}
	for _, d := range links {
		sum += d
	}
	a.Looked = math.Abs(sum) < DoubtShare*r.Judge.MinEffect*float64(n)
	return a.Looked
}

// NoGain drops the claim of one link of each side that a change is slower, which the
// layout could have given. A worthwhile gain is excluded there all the more.
func (a *Answer) NoGain() {
	if NeedsLinks(a.Verdict) {
		a.Verdict.Answer = model.NoEffect
	}
}

// claims reports whether a verdict is about a difference.
func claims(v model.Verdict) bool { return v.Answer == model.Faster || v.Answer == model.Slower }

// TakeBack makes an answer undecided that the layout could have given. cause is
// why there are no fresh links, and try what would give them.
func (a *Answer) TakeBack(cause, try string) {
	v := &a.Verdict
	v.Warnings = append(v.Warnings, model.Warning{
		Seen:  fmt.Sprintf("not separable from layout: these two links differ (%s by %s), but where the linker happens to put functions can do that", v.Answer, words.Percent(v.Change)),
		Cause: cause,
		Try:   try,
	})
	v.Answer = model.Undecided
	a.Layout = true
}
