package c50

import "runtime"

// V1 two functions, loop over a map
type batch struct{ parts map[string][]int }

func tidy() {
	runtime.GC()
}

func (b *batch) Sums() map[string]int {
	sums := make(map[string]int, len(b.parts))
	for name, part := range b.parts {
		for _, n := range part {
			sums[name] += n
		}
		tidy()
	}
	return sums
}
