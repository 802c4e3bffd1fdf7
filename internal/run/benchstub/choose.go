package benchstub

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/run/benchstub/pawlstub"
	"github.com/pawl-dev/pawl/internal/sorted"
)

// A chosen is an input with the name of its sub-benchmark.
type chosen struct {
	pawlstub.Input
	name string
}

// choose picks a typical input and the largest; one alone when they are the
// same. The rest follows in the order of size, largest first, and then the calls
// that returned an error when others did not. Inputs that hold secrets are left
// out.
func (m *maker) choose(r *recording) (picked []chosen, rest []pawlstub.Input, err error) {
	good := r.inputs
	var failing []pawlstub.Input
	if ok := kept(good, func(in pawlstub.Input) bool { return in.Failed == "" }); len(ok) > 0 {
		failing = kept(good, func(in pawlstub.Input) bool { return in.Failed == "error" && !m.secret(in) })
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
	sorted.By(clean, func(a, b pawlstub.Input) int { return larger(b, a) })
	middle := len(clean) / 2
	largest, typical := clean[0], clean[middle]
	picked = []chosen{{typical, "typical"}}
	rest = slices.Concat(clean[:middle], clean[middle+1:], failing)
	if larger(largest, typical) > 0 {
		picked, rest = append(picked, chosen{largest, "largest"}), rest[1:]
	}
	return picked, rest, nil
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

// spread returns at most n of a list, evenly from its beginning to its end.
func spread(list []pawlstub.Input, n int) []pawlstub.Input {
	if len(list) <= n {
		return list
	}
	var out []pawlstub.Input
	for i := range n {
		out = append(out, list[i*(len(list)-1)/(n-1)])
	}
	return out
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
