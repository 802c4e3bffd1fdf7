package diagnose

import (
	"cmp"
	"math"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// fewestCompared is the number of samples on both sides together below which a
// difference is not looked at: it cannot be told from noise.
const fewestCompared = 8

// test decides for each subject whether it differs by more than noise. All
// differences together are wrong with probability level at most: by Holm's
// procedure (S. Holm, Scand. J. Stat. 6, 1979), which holds however they depend
// on each other, and inclusive shares of callers and callees do. What has the
// same stacks is one difference.
func (b *book) test(c *model.ProfileComparison) {
	common, repeats := b.inflation()
	type hypothesis struct {
		p    float64
		hash uint64
	}
	var hs []hypothesis
	done := map[uint64]*subject{}
	for _, s := range b.subjects {
		s.p = 1
		if b.sum(s, 0).count+b.sum(s, 1).count < fewestCompared {
			continue
		}
		if same := done[s.hash]; same != nil {
			s.p, s.inflation, s.df, s.tested = same.p, same.inflation, same.df, same.tested
			continue
		}
		scatter, df := b.scatter(s)
		s.inflation, s.df = (prior*common+scatter)/(prior+df), prior+df
		s.p = b.contrast(s).p()
		done[s.hash] = s
		s.tested = b.o.Per.word() != "share" || b.pooled(s) < 1
		if s.tested {
			hs = append(hs, hypothesis{s.p, s.hash})
		}
	}
	sorted.By(hs, func(x, y hypothesis) int { return cmp.Or(cmp.Compare(x.p, y.p), cmp.Compare(x.hash, y.hash)) })
	holds := map[uint64]bool{}
	for i, h := range hs {
		if h.p > level/float64(len(hs)-i) {
			break
		}
		holds[h.hash] = true
	}
	for _, s := range b.subjects {
		s.claimed = s.tested && holds[s.hash]
	}
	c.Noise = model.ProfileNoise{Level: level, Tested: len(hs), Repeats: repeats, Inflation: common}
	if all := b.subjects[key{aspect: inAll}]; b.o.Per.word() != "share" {
		total := b.change(all)
		c.Total = &total
	}
}

// contrast puts the two sides of a subject together.
func (b *book) contrast(s *subject) contrast {
	base, now := b.sum(s, 0), b.sum(s, 1)
	c := contrast{base: b.sides[0].weighing, now: b.sides[1].weighing, inBase: base.in, inNow: now.in, inflation: s.inflation, df: s.df}
	c.between = b.betweenRuns(base, now)
	c.eachBase, c.eachNow = b.each(base, now)
	return c
}

func (b *book) pooled(s *subject) float64 { return b.contrast(s).pooled() }

// betweenRuns is the deviation between runs that is assumed of a subject. Who
// waits for whom is up to the scheduler.
func (b *book) betweenRuns(base, now amount) float64 {
	if b.kind == profile.KindMutex || b.kind == profile.KindBlock || base.restless+now.restless > (base.in+now.in)/2 {
		return restless
	}
	return between
}

// each returns the weight of a sample on either side. In a CPU profile all
// have the same. Allocations do not: what is known of few samples on one side
// is taken from both.
func (b *book) each(base, now amount) (float64, float64) {
	if b.kind == profile.KindCPU {
		return b.sides[0].squares / b.sides[0].total, b.sides[1].squares / b.sides[1].total
	}
	both := (base.squares + now.squares) / (base.in + now.in)
	if base.count >= 10 && now.count >= 10 {
		return base.squares / base.in, now.squares / now.in
	}
	return both, both
}

// scatter returns the sum of squares of what the profiles of a side differ
// from each other by, each over the variance that is assumed, and the degrees
// of freedom.
func (b *book) scatter(s *subject) (sum, df float64) {
	base, now := b.sum(s, 0), b.sum(s, 1)
	weights := [2]float64{}
	weights[0], weights[1] = b.each(base, now)
	for side, total := range []amount{base, now} {
		rate := b.sides[side].rate(total.in)
		if rate == 0 || b.o.Per.word() == "share" && rate >= 1 {
			continue
		}
		n := -1.0
		for i, p := range b.profiles {
			if p.side != side || p.total == 0 {
				continue
			}
			assumed, _ := p.variance(rate, weights[side], b.betweenRuns(base, now))
			apart := p.rate(s.tally[i].in)/rate - 1
			sum += apart * apart / assumed
			n++
		}
		df += max(n, 0)
	}
	return sum, df
}

// inflation returns the variance between the profiles of a side over the one
// that is assumed, for all subjects with enough samples together; and how many
// profiles there are beyond one on each side.
func (b *book) inflation() (common float64, repeats int) {
	repeats = len(b.profiles) - 2
	if repeats == 0 {
		return 1, 0
	}
	sum, df := 0.0, 0.0
	done := map[uint64]bool{}
	for _, s := range b.subjects {
		enough := float64(10 * len(b.profiles))
		if s.aspect != inclusive && s.aspect != flat || b.sum(s, 0).count+b.sum(s, 1).count < enough || done[s.hash] {
			continue
		}
		done[s.hash] = true
		a, n := b.scatter(s)
		sum, df = sum+a, df+n
	}
	if df == 0 {
		return 1, repeats
	}
	return sum / df, repeats
}

func (b *book) change(s *subject) model.ProfileChange {
	base, now := b.sum(s, 0), b.sum(s, 1)
	x := b.contrast(s)
	c := model.ProfileChange{
		Func: s.fn, File: s.file, P: s.p, Claimed: s.claimed,
		Before: x.base.rate(base.in), After: x.now.rate(now.in),
	}
	lo, hi := x.ratio()
	c.Change, c.Lo, c.Hi = relative(c.After/c.Before), relative(lo), relative(hi)
	switch {
	case c.Before == 0 && c.After == 0:
		c.Change = 0
	case c.After > c.Before && lo > 1:
		c.Certain = c.After * (1 - 1/lo)
	case c.After < c.Before && hi < 1:
		c.Certain = c.Before * (1 - hi)
	}
	if b.measure.also == "delay" {
		c.BeforeDelay, c.AfterDelay = b.delay(0, base), b.delay(1, now)
	}
	return c
}

// delay is the time waited on a side, divided as counts are.
func (b *book) delay(side int, a amount) float64 {
	if e := b.sides[side].exposure; e > 0 {
		return a.delay / e
	}
	all := b.sum(b.subjects[key{aspect: inAll}], side).delay
	if all == 0 {
		return 0
	}
	return a.delay / all
}

// relative makes a ratio a change; the upper end of one that is open is a
// million.
func relative(ratio float64) float64 {
	if math.IsNaN(ratio) || ratio > 1e6 {
		return 1e6
	}
	return ratio - 1
}
