package c02

import (
	"strings"
)

// V1 renamed
type user struct{ name string }

func names(us []user) []string {
	var ns []string
	for _, u := range us {
		ns = append(ns, u.name)
	}
	return ns
}

// V2 method
type tab struct{ cells map[string]int }

func (t *tab) keys() []string {
	out := []string{}
	for k := range t.cells {
		out = append(out, k)
	}
	return out
}

// V3 closure
func doubler(xs []int) func() []int {
	return func() []int {
		res := make([]int, 0)
		for i := 0; i < len(xs); i++ {
			res = append(res, xs[i]*2)
		}
		return res
	}
}

// V4 generic
func mapTo[T, U any](in []T, f func(T) U) []U {
	var out []U
	for _, x := range in {
		out = append(out, f(x))
	}
	return out
}

// V5 two functions
func add(dst []string, s string) []string { return append(dst, s) }
func upper(in []string) []string {
	var o []string
	for _, s := range in {
		o = add(o, strings.ToUpper(s))
	}
	return o
}
