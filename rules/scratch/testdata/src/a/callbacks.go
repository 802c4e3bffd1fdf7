package a

import (
	"slices"
	"sort"
	"strings"
)

// The literals run while the call runs that gets them.

func ranked(rows [][]int, least int) (best []int) {
	for _, row := range rows {
		some := make([]int, 0, len(row)) // want `the slice some is made anew in each iteration`
		for _, x := range row {
			if x >= least {
				some = append(some, x)
			}
		}
		sort.Slice(some, func(i, j int) bool { return some[i] > some[j] })
		best = append(best, some...)
	}
	return best
}

func marked(lines []string) (out []string) {
	for _, l := range lines {
		count := map[rune]int{} // want `the map count is made anew in each iteration`
		l = strings.Map(func(r rune) rune {
			if count[r]++; count[r] > 1 {
				return -1
			}
			return r
		}, l)
		out = append(out, l)
	}
	return out
}

func grown(rows [][]string) (n int) {
	for _, row := range rows {
		var all []byte // want `the slice all is made anew in each iteration`
		n += slices.IndexFunc(row, func(s string) bool {
			all = append(all, s...)
			return slices.Contains(all, '!')
		})
	}
	return n
}

func inPlace(rows [][]int) (n int) {
	for _, row := range rows {
		seen := map[int]bool{} // want `the map seen is made anew in each iteration`
		func() {
			for _, x := range row {
				seen[x] = true
			}
		}()
		n += len(seen)
	}
	return n
}

// What follows is left alone.

func keepsLiteral(rows [][]int, later func(func() int)) {
	for _, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		later(func() int { return len(seen) })
	}
}

func returnsIt(rows [][]int) (all []map[int]bool) {
	for _, row := range rows {
		seen := map[int]bool{}
		sort.Slice(row, func(i, j int) bool {
			seen[row[i]] = true
			all = append(all, seen)
			return row[i] < row[j]
		})
	}
	return all
}

func literalInLiteral(rows [][]int) (fs []func() int) {
	for _, row := range rows {
		seen := map[int]bool{}
		sort.Slice(row, func(i, j int) bool {
			fs = append(fs, func() int { return len(seen) })
			return row[i] < row[j]
		})
	}
	return fs
}

func deferredLiteral(rows [][]int) {
	for _, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		defer func() { println(len(seen)) }()
		defer sort.Slice(row, func(i, j int) bool { return seen[row[i]] && i < j })
	}
}

func spawned(rows [][]int) {
	for _, row := range rows {
		seen := map[int]bool{}
		for _, x := range row {
			seen[x] = true
		}
		go sort.Slice(row, func(i, j int) bool { return seen[row[i]] && i < j })
		go func() {
			sort.Slice(row, func(i, j int) bool { return seen[row[i]] && i > j })
		}()
	}
}

func sequence(rows [][]int) (all []func(func(int) bool)) {
	for _, row := range rows {
		some := make([]int, len(row))
		copy(some, row)
		all = append(all, func(yield func(int) bool) {
			for _, x := range some {
				yield(x)
			}
		})
	}
	return all
}
