package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// Stacks calls f for each sample with a value of type typ: its stack, innermost
// frame first, inlined calls expanded, files as the profile has them; and its
// value. The slice is used again for the next stack: who keeps it clones it, while
// a frame by itself may be kept. The error is for a type that the profile does
// not have, and for negative values, which the difference of two profiles has.
func (p *Profile) Stacks(typ string, f func(stack []model.Frame, value float64)) error {
	return p.eachStack(typ, func(stack []model.Frame, value, _ float64) { f(stack, value) })
}

// Parts divides the values of type typ among the names that of gives to
// stacks, each stack to one, and returns the part of each. Shares add up to 1.
// The intervals are those of Part.
func (p *Profile) Parts(typ string, of func(stack []model.Frame) string) (map[string]Part, error) {
	return p.PartsBy(typ, func(stack []model.Frame, _ float64) string { return of(stack) })
}

// PartsBy is Parts for those who look at the value as well, in one go through
// the stacks: it is Parts and Stacks together.
func (p *Profile) PartsBy(typ string, of func(stack []model.Frame, value float64) string) (map[string]Part, error) {
	var all tally
	by := map[string]*tally{}
	err := p.eachStack(typ, func(stack []model.Frame, value, count float64) {
		name := of(stack, value)
		if by[name] == nil {
			by[name] = &tally{}
		}
		by[name].add(value, count, true)
		all.add(value, count, false)
	})
	if err != nil {
		return nil, err
	}
	out := make(map[string]Part, len(by))
	for name, t := range by {
		whole := all
		whole.in, whole.countIn, whole.squareIn = t.in, t.countIn, t.squareIn
		out[name] = whole.part()
	}
	return out, nil
}

// Total returns the sum of all values of type typ, and the number of samples
// behind it.
func (p *Profile) Total(typ string) (value float64, samples int64, err error) {
	var t tally
	err = p.eachRow(typ, func(_ int, value, count float64) { t.add(value, count, false) })
	return t.all, t.part().Of, err
}

// eachStack calls f for each row with a value of type typ, with the number of
// samples that it stands for. The slice is used again.
func (p *Profile) eachStack(typ string, f func(stack []model.Frame, value, count float64)) error {
	var e expander
	return p.eachRow(typ, func(i int, value, count float64) { f(e.stack(p, p.frames, i), value, count) })
}

// eachRow is eachStack without the frames, for those who do not look at them:
// f gets the number of the row.
func (p *Profile) eachRow(typ string, f func(row int, value, count float64)) error {
	col := slices.Index(p.Types(), typ)
	if col < 0 {
		return fmt.Errorf("the profile has no samples of type %q, only of %s", typ, strings.Join(p.Types(), ", "))
	}
	count := p.counter(typ, col)
	for i := range p.of {
		values := p.row(i)
		v := values[col]
		if v < 0 {
			return errNegative
		}
		if v > 0 {
			f(i, float64(v), count(values))
		}
	}
	return nil
}

// An expander writes the frames of one stack after the other into the same
// slice.
type expander struct {
	buf  []model.Frame
	last int // the stack in buf, and one
}

// stack returns the frames of a row's stack. Frames is p.frames, or what
// somebody made of it.
func (e *expander) stack(p *Profile, frames []model.Frame, row int) []model.Frame {
	of := int(p.of[row])
	if e.last == of+1 {
		return e.buf
	}
	e.buf, e.last = e.buf[:0], of+1
	for _, l := range p.stacks[of] {
		e.buf = append(e.buf, frames[p.starts[l]:p.starts[l+1]]...)
	}
	return e.buf
}

// marks tells of each location whether it has a frame for which is holds.
func (p *Profile) marks(is func(model.Frame) bool) []bool {
	out := make([]bool, len(p.starts)-1)
	for i := range out {
		out[i] = slices.ContainsFunc(p.location(uint32(i)), is)
	}
	return out
}

// marked reports whether a row's stack has a location that is marked.
func (p *Profile) marked(row int, marks []bool) bool {
	return slices.ContainsFunc(p.stacks[p.of[row]], func(l uint32) bool { return marks[l] })
}
