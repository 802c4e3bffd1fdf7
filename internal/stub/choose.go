package stub

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/stub/pawlstub"
)

// A chosen is an input with the name of its sub-benchmark.
type chosen struct {
	pawlstub.Input
	name string
}

// choose picks a typical input and the largest; one alone when they are the
// same. The rest follows in the order of size, largest first. Calls that failed
// are left out when others did not, and so are inputs that hold secrets.
func (m *maker) choose(r *recording) (picked []chosen, rest []pawlstub.Input, err error) {
	good := slices.Clone(r.inputs)
	if ok := kept(good, func(in pawlstub.Input) bool { return in.Failed == "" }); len(ok) > 0 {
		good = ok
	} else {
		m.note("all recorded calls end with an error or a panic: the benchmark measures that")
		good = kept(good, func(in pawlstub.Input) bool { return in.Failed == "error" })
	}
	if len(good) == 0 {
		return nil, nil, fmt.Errorf("every recorded call of %s panics: there is nothing to measure", m.fn.full())
	}
	clean := kept(good, func(in pawlstub.Input) bool { return !m.secret(in) })
	if n := len(good) - len(clean); n > 0 {
		if len(clean) == 0 {
			return nil, nil, fmt.Errorf("every recorded input of %s holds what looks like a secret, so no benchmark was written; give the tests another value, or write the benchmark by hand", m.fn.full())
		}
		m.note("%d recorded inputs were passed over: they hold what looks like a secret", n)
	}
	slices.SortStableFunc(clean, func(a, b pawlstub.Input) int { return larger(b, a) })
	largest, typical := clean[0], clean[len(clean)/2]
	if len(clean) == 1 || larger(largest, typical) == 0 {
		return []chosen{{typical, "typical"}}, clean[1:], nil
	}
	rest = slices.Concat(clean[1:len(clean)/2], clean[len(clean)/2+1:])
	return []chosen{{typical, "typical"}, {largest, "largest"}}, rest, nil
}

// larger compares two inputs: of numbers, which all have one size, the one with
// more digits counts as larger.
func larger(a, b pawlstub.Input) int {
	digits := func(in pawlstub.Input) (n int) {
		for _, p := range in.Params {
			for _, x := range p.Expr {
				n += len(x.Text)
			}
		}
		return n
	}
	return cmp.Or(cmp.Compare(a.Size, b.Size), cmp.Compare(digits(a), digits(b)))
}

func kept(list []pawlstub.Input, f func(pawlstub.Input) bool) []pawlstub.Input {
	return slices.DeleteFunc(slices.Clone(list), func(in pawlstub.Input) bool { return !f(in) })
}

// secret reports whether an input holds what looks like a secret. Data is
// looked at too.
func (m *maker) secret(in pawlstub.Input) bool {
	var b strings.Builder
	for _, p := range in.Params {
		b.WriteString(p.Name + ": ")
		for _, x := range p.Expr {
			b.WriteString(x.Text)
			b.WriteString(x.Name)
			b.Write(x.Data)
		}
		b.WriteByte('\n')
	}
	_, n := m.scrub.Text(b.String())
	return n > 0
}
