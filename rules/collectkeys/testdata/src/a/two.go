package a

import (
	"maps"
	"slices"
)

// Two fixes in one function declare two names.
func printed[K ~string](ages, sizes map[K]int, print func(K, int)) {
	for _, k := range slices.Sorted(maps.Keys(ages)) { // want `slices.Sorted grows the slice step by step; the length of ages is known`
		print(k, ages[k])
	}
	for _, k := range slices.Sorted(maps.Keys(sizes)) { // want `the length of sizes is known`
		print(k, sizes[k])
	}
}
