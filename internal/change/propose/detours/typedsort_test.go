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
			var askedThird [][2]int
			byMethod := &methods{slices.Clone(all), less, &askedThird}
			if stable {
				sort.Stable(byMethod)
			} else {
				sort.Sort(byMethod)
			}
			if !slices.Equal(askedThird, askedToo) || !slices.Equal(byMethod.all, byValue) {
				t.Fatalf("%d elements, stable %v, by methods: other questions, or another order", len(all), stable)
			}
			if !slices.Equal(asked, askedToo) || !slices.Equal(byIndex, byValue) {
				t.Fatalf("%d elements, stable %v: other questions, or another order", len(all), stable)
			}
		}
	}
}

// methods sorts integers by sort.Interface.
type methods struct {
	all   []int
	less  func(a, b int) bool
	asked *[][2]int
}

func (m *methods) Len() int      { return len(m.all) }
func (m *methods) Swap(i, j int) { m.all[i], m.all[j] = m.all[j], m.all[i] }
func (m *methods) Less(i, j int) bool {
	*m.asked = append(*m.asked, [2]int{m.all[i], m.all[j]})
	return m.less(m.all[i], m.all[j])
}
