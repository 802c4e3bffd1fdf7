package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/model"
)

// Pairs is Stacks for two types of values at once, with the number of samples
// behind each row. Rows without a value of the first type are left out. The
// slice is used again.
func (p *Profile) Pairs(typ, other string, f func(stack []model.Frame, value, second, count float64)) error {
	types := p.Types()
	col, with := slices.Index(types, typ), slices.Index(types, other)
	if col < 0 || with < 0 {
		return fmt.Errorf("the profile has no samples of type %q and %q, only of %s", typ, other, strings.Join(types, ", "))
	}
	count := p.counter(typ, col)
	var e expander
	for i := range p.of {
		values := p.row(i)
		switch {
		case values[col] < 0 || values[with] < 0:
			return errNegative
		case values[col] > 0:
			f(e.stack(p, p.frames, i), float64(values[col]), float64(values[with]), count(values))
		}
	}
	return nil
}

// Unit returns the unit of a type of values, as the profile has it; "" for a
// type that it does not have.
func (p *Profile) Unit(typ string) string {
	for _, t := range p.types {
		if t.name == typ {
			return t.unit
		}
	}
	return ""
}

// Period returns the nominal distance of two samples, in units of what is
// sampled: nanoseconds in CPU profiles, bytes in heap profiles; 0 where the
// profile does not say.
func (p *Profile) Period() int64 { return p.period }

// Starts returns the line that each function begins at, by symbol. Functions
// without it in the profile are left out; Go writes it from 1.20 on.
func (p *Profile) Starts() map[string]int { return p.begins }
