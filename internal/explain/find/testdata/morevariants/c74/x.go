package c74

import ()

// V1 renamed
func project(recs [][]string, want []string) (out [][]string) {
	pos := make(map[string]int, len(recs[0]))
	for i, h := range recs[0] {
		pos[h] = i
	}
	idx := make([]int, len(want))
	for i, w := range want {
		idx[i] = pos[w]
	}
	for _, r := range recs[1:] {
		row := make([]string, len(idx))
		for i, k := range idx {
			row[i] = r[k]
		}
		out = append(out, row)
	}
	return out
}

// V2 method
type tbl struct {
	head []string
	raw  []byte
}

func (t *tbl) columns(names []string) (out []int) {
	m := make(map[string]int, len(t.head))
	for i, h := range t.head {
		m[h] = i
	}
	for _, n := range names {
		out = append(out, m[n])
	}
	return out
}

// V3 closure
func selector(head []string) func([]string) []int {
	return func(names []string) []int {
		m := make(map[string]int, len(head))
		for i, h := range head {
			m[h] = i
		}
		out := make([]int, 0, len(names))
		for _, n := range names {
			out = append(out, m[n])
		}
		return out
	}
}

// V4 generic
func Positions[T comparable](head, want []T) []int {
	m := make(map[T]int, len(head))
	for i, h := range head {
		m[h] = i
	}
	out := make([]int, len(want))
	for i, w := range want {
		out[i] = m[w]
	}
	return out
}

// V5 two functions
func index(head []string) map[string]int {
	m := make(map[string]int, len(head))
	for i, h := range head {
		m[h] = i
	}
	return m
}
func selectCols(head, want, rec []string) (out []string) {
	m := index(head)
	for _, w := range want {
		out = append(out, rec[m[w]])
	}
	return out
}
