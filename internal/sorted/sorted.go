// Package sorted puts lists of large values in order. The sorts of package
// slices are compiled anew for each type, which is 10 to 25 KB of the program
// a type, and move whole values often; this has one sort for all, of indices.
package sorted

import (
	"cmp"
	"iter"
	"reflect"
	"slices"
)

// By puts list in the order of compare. What compares as equal keeps its
// order, as with slices.SortStableFunc.
func By[E any](list []E, compare func(a, b E) int) {
	arrange(len(list), func(a, b int) int { return compare(list[a], list[b]) }, reflect.Swapper(list))
}

// Of returns what seq yields, in the order of compare. What compares as equal
// keeps its order, as with slices.SortedStableFunc.
func Of[E any](seq iter.Seq[E], compare func(a, b E) int) []E {
	list := slices.Collect(seq)
	By(list, compare)
	return list
}

// arrange sorts the indices of n values by compare, and then swaps each value to
// its place, cycle by cycle.
func arrange(n int, compare func(a, b int) int, swap func(i, j int)) {
	from := make([]int, n)
	for i := range from {
		from[i] = i
	}
	slices.SortFunc(from, func(a, b int) int { return cmp.Or(compare(a, b), a-b) })
	for start := range from {
		at := start
		for from[at] != start {
			swap(at, from[at])
			at, from[at] = from[at], at
		}
		from[at] = at
	}
}
