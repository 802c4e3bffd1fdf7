package c36

import (
	"slices"
)

// V1 renamed
func repeated(ids []int64) bool {
	for a := 0; a < len(ids); a++ {
		for b := a + 1; b < len(ids); b++ {
			if ids[a] == ids[b] {
				return true
			}
		}
	}
	return false
}

// V2 method
type set struct{ items []string }

func (s *set) missing(want []string) (out []string) {
	for _, w := range want {
		if !slices.Contains(s.items, w) {
			out = append(out, w)
		}
	}
	return out
}

// V3 closure
func matcher(have []string) func([]string) int {
	return func(want []string) (n int) {
		for _, w := range want {
			for _, h := range have {
				if w == h {
					n++
					break
				}
			}
		}
		return n
	}
}

// V4 generic
func HasDup[T comparable](xs []T) bool {
	for i := range xs {
		for j := i + 1; j < len(xs); j++ {
			if xs[i] == xs[j] {
				return true
			}
		}
	}
	return false
}

// V5 two functions
func contains(xs []string, x string) bool {
	for _, y := range xs {
		if y == x {
			return true
		}
	}
	return false
}
func common(a, b []string) (out []string) {
	for _, x := range a {
		if contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}
