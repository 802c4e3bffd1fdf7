package a

import (
	"slices"
	"strings"
)

type user struct {
	id   int
	name string
}

type order struct{ user int }

type name string

// The shape of the seed.
func duplicates(xs []string) bool {
	for i := range xs {
		for j := i + 1; j < len(xs); j++ {
			if xs[i] == xs[j] { // want `each pair of elements of xs is compared to find equal ones`
				return true
			}
		}
	}
	return false
}

func plain(xs []name) bool {
	for i := 0; i < len(xs); i++ {
		for j := i + 1; j < len(xs); j++ {
			if xs[j] == xs[i] { // want `each pair of elements of xs is compared`
				return true
			}
		}
	}
	return false
}

func which(xs []string) (int, int) {
	for i := range xs {
		for j := i + 1; j < len(xs); j++ {
			if xs[i] == xs[j] { // want `each pair of elements`
				return i, j // which pair: no fix
			}
		}
	}
	return -1, -1
}

func missing(have, want []string) (out []string) {
	for _, w := range want {
		if !slices.Contains(have, w) { // want `slices.Contains searches have in each iteration`
			out = append(out, w)
		}
	}
	return out
}

func twice(have, want, more []string) (n int) {
	for _, w := range want {
		if slices.Contains(have, w) || slices.Contains(have, w+"s") { // want `slices.Contains searches have` `slices.Contains searches have`
			n++
		}
	}
	for _, w := range more {
		if slices.Contains(have, w) { // want `slices.Contains searches have`
			n++
		}
	}
	return n
}

func outermost(have []name, lines [][]name) (n int) {
lines:
	for _, l := range lines {
		for _, w := range l {
			if w == "" {
				continue lines
			}
			if slices.Contains(have, name(strings.ToLower(string(w)))) { // want `slices.Contains searches have`
				n++
			}
		}
	}
	return n
}

func anonymous(have []struct{ a, b int }, want []struct{ a, b int }) (n int) {
	for _, w := range want {
		if slices.Contains(have, w) { // want `slices.Contains searches have`
			n++
		}
	}
	return n
}

func unique(xs []string) []string {
	out := []string{}
	for _, x := range xs {
		if !slices.Contains(out, x) { // want `slices.Contains searches out, which grows`
			out = append(out, x)
		}
	}
	slices.Sort(out)
	return out
}

func join(users []user, orders []order) (names []string) {
	for _, o := range orders {
		for _, u := range users { // want `each iteration compares o.user with all of users`
			if u.id == o.user {
				names = append(names, u.name)
				break
			}
		}
	}
	return names
}

// Without a fix: T may be a float, or an interface.
func generic[T comparable](have, want []T) (n int) {
	for _, w := range want {
		if slices.Contains(have, w) { // want `slices.Contains searches have in each iteration`
			n++
		}
	}
	return n
}

// What follows is left alone.

var (
	breakers = []string{"*", "?", "[", "{"}
	inTerms  = append(breakers, "}", ",")
)

// A slice that is short in all callers, by way of a variable.
func split(xs []string, terms bool) int {
	var by []string
	if terms {
		by = inTerms
	} else {
		by = breakers
	}
	return until(xs, by)
}

func until(xs, by []string) (n int) {
	for _, x := range xs {
		if slices.Contains(by, x) {
			return n
		}
		n++
	}
	return n
}

func once(have []string, w string) bool { return slices.Contains(have, w) }

func invariant(have []string, w string, ns []int) (n int) {
	for range ns {
		if slices.Contains(have, w) {
			n++
		}
	}
	return n
}

func changing(have, want []string) (n int) {
	for i, w := range want {
		if slices.Contains(have, w) {
			n++
		}
		have[i%len(have)] = w
	}
	for _, w := range want {
		if slices.Contains(have, w) {
			n++
		}
		have = have[1:]
	}
	for _, w := range want {
		if slices.Contains(have, w) {
			n++
		}
		slices.Reverse(have)
	}
	return n
}

func few(want []string) (n int) {
	units := []string{"s", "m", "h"}
	for _, w := range want {
		if slices.Contains(units, w) {
			n++
		}
	}
	return n
}

func fewIterations(have []string) (n int) {
	for _, w := range [...]string{"a", "b"} {
		if slices.Contains(have, w) {
			n++
		}
	}
	for i := 0; i < 4; i++ {
		if slices.Contains(have, have[i]) {
			n++
		}
	}
	return n
}

func floats(have, want []float64) (n int) {
	for _, w := range want {
		if slices.Contains(have, w) {
			n++
		}
		for _, h := range have {
			if h == w {
				n++
			}
		}
	}
	return n
}

func interfaces(have, want []any) (n int) {
	for _, w := range want {
		if slices.Contains(have, w) {
			n++
		}
	}
	return n
}

func bytes(have, want []byte) (n int) {
	for _, w := range want {
		if slices.Contains(have, w) {
			n++
		}
	}
	return n
}

func custom(have, want []string) (n int) {
	for _, w := range want {
		if slices.ContainsFunc(have, func(h string) bool { return strings.EqualFold(h, w) }) {
			n++
		}
	}
	return n
}

func own(users []struct{ names []string }, w string) (n int) {
	for _, u := range users {
		if slices.Contains(u.names, w) {
			n++
		}
		for _, name := range u.names {
			if name == w {
				n++
			}
		}
	}
	return n
}

func diagonal(m [][]int) (n int) {
	for i := range m {
		for j := range m {
			if i == j {
				n += m[i][j]
			}
		}
	}
	return n
}

func steps(xs []int) bool {
	for i := range xs {
		for j := i + 2; j < len(xs); j++ {
			if xs[i] == xs[j] {
				return true
			}
		}
	}
	return false
}
