package diagnose

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// shareOnly marks changes of shares that may be changes of the rest. When one
// function costs less, the shares of all others rise by the same factor. That
// factor is taken to be the median of the functions' own parts, weighted by
// what is on both sides: most of the work is assumed not to have changed. Three
// functions and half of the work must go together, else nothing is marked.
func (b *book) shareOnly(c *model.ProfileComparison) {
	if c.By != "share" {
		return
	}
	factor := b.neutral()
	if math.Abs(math.Log(factor)) < math.Log(1.02) || !opposite(c, factor) {
		return
	}
	c.Neutral = factor
	for _, list := range [][]model.ProfileChange{c.Functions, c.Lines, c.Signs} {
		for i := range list {
			x := &list[i]
			lo, hi := 1+x.Lo, 1+x.Hi
			if x.Itself() {
				lo, hi = 1+x.Flat.Lo, 1+x.Flat.Hi
			}
			if factor > 1 {
				x.ShareOnly = x.More() && lo <= factor
			} else {
				x.ShareOnly = !x.More() && hi >= factor
			}
		}
	}
}

// opposite reports whether something changed that makes the shares of all else
// change by such a factor.
func opposite(c *model.ProfileComparison, factor float64) bool {
	return slices.ContainsFunc(c.Functions, func(x model.ProfileChange) bool { return x.More() == (factor < 1) })
}

// neutral returns the factor by which the shares of most of the work changed.
func (b *book) neutral() float64 {
	type ratio struct{ r, weight float64 }
	var rs []ratio
	sum := 0.0
	for k, s := range b.subjects {
		if k.aspect != flat {
			continue
		}
		base, now := b.sum(s, 0), b.sum(s, 1)
		if base.in == 0 || now.in == 0 {
			continue
		}
		before, after := b.sides[0].rate(base.in), b.sides[1].rate(now.in)
		rs = append(rs, ratio{after / before, min(before, after)})
		sum += min(before, after)
	}
	sorted.By(rs, func(x, y ratio) int { return cmp.Or(cmp.Compare(x.r, y.r), cmp.Compare(x.weight, y.weight)) })
	up, median := 0.0, 1.0
	for _, r := range rs {
		if up += r.weight; up >= sum/2 {
			median = r.r
			break
		}
	}
	near, weight := 0, 0.0
	for _, r := range rs {
		if max(r.r/median, median/r.r) < 1.25 {
			near, weight = near+1, weight+r.weight
		}
	}
	if near < 3 || weight < sum/2 {
		return 1 // no part of the program stands for the rest
	}
	return median
}

// depth is a tie-break among functions on the same stacks: the outermost have
// little of their own.
func (b *book) depth(s *subject) float64 {
	own := b.subjects[key{flat, s.place}]
	if own == nil {
		return 1
	}
	return -(b.sum(own, 0).in + b.sum(own, 1).in)
}

func (b *book) doubts(c *model.ProfileComparison) []model.Warning {
	var out []model.Warning
	var sides [2][]profile.Source
	periods := [2]map[int64]bool{{}, {}}
	for _, p := range b.profiles {
		if slices.ContainsFunc(sides[p.side], func(s profile.Source) bool { return s.Name == p.Name && !s.Served }) {
			out = append(out, model.Warning{
				Seen: p.Name + " is named twice on one side: differences look more certain than they are",
				Try:  "profiles of several runs",
			})
		}
		sides[p.side] = append(sides[p.side], p.Source)
		periods[p.side][p.Profile.Period()] = true
	}
	if _, own, some := inBoth(sides[0], sides[1]); some && own == 0 {
		out = append(out, model.Warning{
			Seen:  "no function outside the standard library is on both sides",
			Cause: "they are of different programs, or packages have other paths",
			Try:   "two profiles of the same program",
		})
	}
	if delays := b.kind == profile.KindMutex || b.kind == profile.KindBlock; delays && len(sides[0]) == 1 && len(sides[1]) == 1 && within(sides[0][0], sides[1][0]) {
		out = append(out, model.Warning{
			Seen:  fmt.Sprintf("%s has at least the events of %s in each stack: what is in both makes them alike", sides[1][0].Name, sides[0][0].Name),
			Cause: "they may be of one process: these profiles count from the start of the program",
			Try:   "if they are, profiles of a stretch of time on each side: ?seconds=30 in the URL",
		})
	}
	if few := min(c.Base.Samples, c.Now.Samples); few < 100 && b.kind != profile.KindBlock && b.kind != profile.KindMutex {
		out = append(out, model.Warning{
			Seen: fmt.Sprintf("one side has %d samples: only large differences can be told from noise", few),
			Try:  "longer profiles, or several on each side: they are added up, and show how noisy they are",
		})
	}
	if !sameKeys(periods) {
		w := model.Warning{Seen: "the profiles were taken at different sampling rates: values are compared, which are scaled by them"}
		if b.kind == profile.KindHeap {
			w.Seen, w.Try = "the profiles were taken at different sampling rates (runtime.MemProfileRate)", "the same rate on both sides"
		}
		out = append(out, w)
	}
	return append(out, b.uneven()...)
}

func sameKeys(m [2]map[int64]bool) bool {
	for k := range m[0] {
		if !m[1][k] {
			return false
		}
	}
	return len(m[0]) == len(m[1])
}

// uneven warns of profiles of several benchmarks: how often each of them ran is
// up to its time, and shares follow that.
func (b *book) uneven() []model.Warning {
	benchmarks := 0
	for k := range b.subjects {
		if k.aspect == inclusive && isBenchmark(k.fn) {
			benchmarks++
		}
	}
	if benchmarks < 2 {
		return nil
	}
	return []model.Warning{{
		Seen:  fmt.Sprintf("the profiles are of %d benchmarks: what each of them weighs depends on how many iterations it was given", benchmarks),
		Cause: "go test -bench chooses them by time, anew in every run",
		Try:   "one benchmark in a profile, or a fixed number: -benchtime 1000x on both sides",
	}}
}
