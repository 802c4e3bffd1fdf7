package c36

import (
	"slices"
)

// V1 renamed
func unique(names []string) []string {
	var out []string
	for _, n := range names {
		found := false
		for _, o := range out {
			if o == n {
				found = true
				break
			}
		}
		if !found {
			out = append(out, n)
		}
	}
	return out
}

// V2 method
type set struct{ xs []int }

func (s *set) common(ys []int) (n int) {
	for _, y := range ys {
		if slices.Contains(s.xs, y) {
			n++
		}
	}
	return
}

// V3 closure
func filter(allowed []string) func([]string) []string {
	return func(in []string) (out []string) {
		for _, s := range in {
			for _, a := range allowed {
				if a == s {
					out = append(out, s)
					break
				}
			}
		}
		return
	}
}

// V4 generic
func diff[T comparable](a, b []T) []T {
	var d []T
	for _, x := range a {
		if !slices.Contains(b, x) {
			d = append(d, x)
		}
	}
	return d
}

// V5 two functions
func has(xs []string, s string) bool {
	for _, x := range xs {
		if x == s {
			return true
		}
	}
	return false
}
func missing(want, have []string) (m []string) {
	for _, w := range want {
		if !has(have, w) {
			m = append(m, w)
		}
	}
	return
}
