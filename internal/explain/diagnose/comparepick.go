package diagnose

import (
	"cmp"
	"math"
	"slices"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// bySize sorts changes: those with the most that is certain first.
func bySize(cs []model.ProfileChange) {
	sorted.By(cs, func(a, b model.ProfileChange) int {
		return cmp.Or(cmp.Compare(b.Certain, a.Certain), cmp.Compare(math.Abs(b.After-b.Before), math.Abs(a.After-a.Before)),
			cmp.Compare(a.Func, b.Func), cmp.Compare(a.Line, b.Line))
	})
}

func (b *book) functions(c *model.ProfileComparison) {
	var changed []*subject
	for k, s := range b.subjects {
		if k.aspect != inclusive {
			continue
		}
		own := b.subjects[key{flat, k.place}]
		if s.claimed || own != nil && own.claimed {
			changed = append(changed, s)
		} else if s.tested {
			c.Quiet++
		}
	}
	for _, f := range b.families(changed) {
		x := b.change(f.head)
		for _, s := range f.rest {
			x.With = append(x.With, s.fn)
		}
		if own := b.subjects[key{flat, f.head.place}]; own != nil {
			o := b.change(own)
			x.Flat = &model.FlatChange{Before: o.Before, After: o.After, Change: o.Change, Lo: o.Lo, Hi: o.Hi, Claimed: own.claimed}
			if !x.Claimed {
				x.Certain = o.Certain
			}
		}
		c.Functions = append(c.Functions, x)
	}
	bySize(c.Functions)
}

// A family is functions that changed together: callers and callees on the same
// stacks.
type family struct {
	head *subject
	rest []*subject
}

// mostJoint is how many functions are looked at for what they share.
const mostJoint = 300

// together is the part of a change that two functions must share to be one.
const together = 0.8

// families puts functions together whose changes are on the same stacks to the
// greatest part. The head of a family is the innermost function of the program,
// for that is where the change is; and of the standard library the outermost,
// for that is what the program calls. The two are kept apart.
func (b *book) families(changed []*subject) []family {
	var out []family
	if len(changed) > mostJoint {
		slices.SortFunc(changed, func(x, y *subject) int { return cmp.Or(cmp.Compare(x.p, y.p), cmp.Compare(x.fn, y.fn)) })
		for _, s := range changed[mostJoint:] {
			out = append(out, family{head: s})
		}
		changed = changed[:mostJoint]
	}
	b.headsFirst(changed)
	joint := b.joint(changed)
	taken := make([]bool, len(changed))
	for i, s := range changed {
		if taken[i] {
			continue
		}
		f := family{head: s}
		for j := i + 1; j < len(changed); j++ {
			t, shared := changed[j], joint[i][j]
			if !taken[j] && profile.Standard(s.fn) == profile.Standard(t.fn) &&
				(s.hash == t.hash || shared/joint[i][i] >= together && shared/joint[j][j] >= together) {
				taken[j] = true
				f.rest = append(f.rest, t)
			}
		}
		out = append(out, f)
	}
	return out
}

// headsFirst sorts functions so that the head of a family comes before the rest
// of it: the program's by size, the library's the other way round.
func (b *book) headsFirst(of []*subject) {
	size := func(s *subject) float64 { return b.sum(s, 0).in + b.sum(s, 1).in }
	slices.SortFunc(of, func(x, y *subject) int {
		sx, sy := profile.Standard(x.fn), profile.Standard(y.fn)
		switch {
		case sx != sy && sx:
			return 1
		case sx != sy:
			return -1
		case sx:
			x, y = y, x
		}
		return cmp.Or(cmp.Compare(size(x), size(y)), cmp.Compare(b.depth(x), b.depth(y)), cmp.Compare(x.fn, y.fn))
	})
}

// joint returns, for each two of some functions, the change of what is on
// stacks with both.
func (b *book) joint(of []*subject) [][]float64 {
	at := map[string]int{}
	out := make([][]float64, len(of))
	for i, s := range of {
		at[s.fn], out[i] = i, make([]float64, len(of))
	}
	for i := range b.profiles {
		p := &b.profiles[i]
		w := b.sides[p.side]
		sign := float64(2*p.side - 1)
		_ = b.stacks(p, func(stack []model.Frame, value, _, _ float64) { // it was read before, without an error
			var on []int
			for _, f := range stack {
				if j, ok := at[f.Func]; ok && !slices.Contains(on, j) {
					on = append(on, j)
				}
			}
			for _, j := range on {
				for _, k := range on {
					out[j][k] += sign * w.rate(value)
				}
			}
		})
	}
	return out
}

// lines lists the lines that changed, but for those of functions in which lines
// cannot be matched.
func (b *book) lines(c *model.ProfileComparison) {
	moved := b.moved()
	for k, s := range b.subjects {
		switch {
		case k.aspect != atLine || moved[k.fn]:
		case s.claimed:
			x := b.change(s)
			x.Line = b.matcher.line(k.place)
			c.Lines = append(c.Lines, x)
		case s.tested:
			c.QuietLines++
		}
	}
	bySize(c.Lines)
	for fn := range moved {
		c.Moved = append(c.Moved, fn)
	}
	slices.Sort(c.Moved)
}

// moved returns the functions in which half of what each side has is on lines
// that the other does not have: their code changed, and lines with equal
// numbers are not the same. That is said of functions with enough samples only.
func (b *book) moved() map[string]bool {
	type half struct{ all, alone [2]float64 }
	by := map[string]*half{}
	for k, s := range b.subjects {
		if k.aspect != atLine {
			continue
		}
		h := by[k.fn]
		if h == nil {
			h = &half{}
			by[k.fn] = h
		}
		for side := range h.all {
			n := b.sum(s, side).count
			h.all[side] += n
			if b.sum(s, 1-side).count == 0 {
				h.alone[side] += n
			}
		}
	}
	out := map[string]bool{}
	for fn, h := range by {
		if min(h.all[0], h.all[1]) >= fewestCompared && h.alone[0] > h.all[0]/2 && h.alone[1] > h.all[1]/2 {
			out[fn] = true
		}
	}
	return out
}

func (b *book) signs(c *model.ProfileComparison) {
	for k, s := range b.subjects {
		if k.aspect == asSign && s.claimed {
			c.Signs = append(c.Signs, b.change(s))
		}
	}
	bySize(c.Signs)
}
