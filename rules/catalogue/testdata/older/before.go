// Package older is of a module whose Go has no clear.
package older

type edge struct{ from, to *int }

type weighted struct {
	to     *int
	weight float64
}

type names []string

// Distinct counts, with maps of keys that equal themselves.
func Distinct(batches [][]*int) (n int) {
	for _, batch := range batches {
		seen := make(map[*int]bool, len(batch))
		edges := map[edge]int{}
		var last *int
		for _, p := range batch {
			seen[p] = true
			edges[edge{last, p}]++
			last = p
		}
		n += len(seen)*10 + len(edges)
	}
	return n
}

// Steady makes slices of a length that is the same each time.
func Steady(rows [][]int, k int) (n int) {
	for _, row := range rows {
		counts := make([]int, k)
		flags := make([]bool, k)
		edges := make([]edge, k)
		text := make(names, k)
		for _, x := range row {
			counts[x]++
			flags[x] = !flags[x]
			edges[x].from = &row[0]
			text[x] += "x"
		}
		for i := range counts {
			if n += counts[i]; flags[i] && edges[i].from != nil {
				n += 100 * len(text[i])
			}
		}
	}
	return n
}

// Unsteady makes one of another length each time.
func Unsteady(words []string, pads []uint8) (sums []int) {
	for i, w := range words {
		n := pads[i]
		buf := make([]byte, len(w)+1)
		copy(buf, w)
		wide := make([]float64, n+2)
		for i := range wide {
			if wide[i]++; i < len(buf) {
				wide[i] += float64(buf[i])
			}
		}
		sum := 0
		for _, x := range wide {
			sum = sum*31 + int(x)
		}
		sums = append(sums, sum)
	}
	return sums
}

// Floats has keys that delete does not find where they are NaN.
func Floats(batches [][]float64) (n int) {
	for _, batch := range batches {
		seen := map[float64]bool{}
		pairs := map[weighted]bool{}
		boxed := map[interface{}]bool{}
		for _, x := range batch {
			seen[x], pairs[weighted{nil, x}], boxed[x] = true, true, true
		}
		n += len(seen)*100 + len(pairs)*10 + len(boxed)
	}
	return n
}

// Shadowed has a name that means something else.
func Shadowed(batches [][]string, delete bool, k int) (n int) {
	for _, batch := range batches {
		seen := map[string]bool{}
		for _, s := range batch {
			seen[s] = delete
		}
		n += len(seen) + k
	}
	return n
}
