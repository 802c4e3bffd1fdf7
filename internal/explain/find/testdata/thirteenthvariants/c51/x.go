package c51

import "runtime"

// V1 renamed

const yieldEvery = 1 << 12

func editDistance(a, b []rune) int {
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	cells := 0
	for i, x := range a {
		cur[0] = i + 1
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			cur[j+1] = min(prev[j+1]+1, cur[j]+1, prev[j]+cost)
			if cells++; cells%yieldEvery == 0 {
				runtime.Gosched()
			}
		}
		prev, cur = cur, prev
	}
	return prev[len(b)]
}
