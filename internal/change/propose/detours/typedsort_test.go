package detours

import (
	"math/rand"
	"slices"
	"sort"
	"testing"
)

// Package sort and package slices ask the same questions in the same order, whatever
// the answers are: also where elements are equal, and where the order is none.
func TestSortsAskAlike(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for round := range 3000 {
		all := make([]int, random.Intn(2+round/5))
		for i := range all {
			all[i] = random.Intn(1 + len(all)/(1+round%9))
		}
		less := func(a, b int) bool { return a < b }
		if round%3 == 0 {
			less = func(a, b int) bool { return (a*31+b*17)%7 < 3 }
		}
		for _, stable := range []bool{false, true} {
			byIndex, byValue := slices.Clone(all), slices.Clone(all)
			var asked, askedToo [][2]int
			of := func(a, b int) int {
				askedToo = append(askedToo, [2]int{a, b})
				if less(a, b) {
					return -1
				}
				return 0
			}
			lessAt := func(i, j int) bool {
				asked = append(asked, [2]int{byIndex[i], byIndex[j]})
				return less(byIndex[i], byIndex[j])
			}
			if stable {
				sort.SliceStable(byIndex, lessAt)
				slices.SortStableFunc(byValue, of)
			} else {
				sort.Slice(byIndex, lessAt)
				slices.SortFunc(byValue, of)
			}
			if !slices.Equal(asked, askedToo) || !slices.Equal(byIndex, byValue) {
				t.Fatalf("%d elements, stable %v: other questions, or another order", len(all), stable)
			}
		}
	}
}
