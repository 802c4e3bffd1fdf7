package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// Stacks calls f for each sample with a value of type typ: its stack, innermost
// frame first, inlined calls expanded, files as the profile has them; and its
// value. The frames may be kept. The error is for a type that the profile does
// not have, and for negative values, which the difference of two profiles has.
func (p *Profile) Stacks(typ string, f func(stack []model.Frame, value float64)) error {
	return p.eachStack(typ, func(stack []model.Frame, value, _ float64) { f(stack, value) })
}

// Parts divides the values of type typ among the names that of gives to
// stacks, each stack to one, and returns the part of each. Shares add up to 1.
// The intervals are those of Part.
func (p *Profile) Parts(typ string, of func(stack []model.Frame) string) (map[string]Part, error) {
	var all tally
	by := map[string]*tally{}
	err := p.eachStack(typ, func(stack []model.Frame, value, count float64) {
		name := of(stack)
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
	err = p.eachStack(typ, func(_ []model.Frame, value, count float64) { t.add(value, count, false) })
	return t.all, t.part().Of, err
}

func (p *Profile) eachStack(typ string, f func(stack []model.Frame, value, count float64)) error {
	col := slices.Index(p.Types(), typ)
	if col < 0 {
		return fmt.Errorf("the profile has no samples of type %q, only of %s", typ, strings.Join(p.Types(), ", "))
	}
	pl := newPlacer(Options{})
	raw := p.counter(typ, col)
	for _, s := range p.p.Sample {
		v := s.Value[col]
		if v < 0 {
			return errNegative
		}
		if v > 0 {
			f(pl.frames(s), float64(v), raw(s))
		}
	}
	return nil
}
