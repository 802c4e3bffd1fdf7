package c74

// V5 two functions
type view struct {
	cols []string
	data [][]string
}

func (v *view) index() map[string]int {
	m := map[string]int{}
	for i, c := range v.cols {
		m[c] = i
	}
	return m
}

func (v *view) choose(want []string) [][]string {
	idx := v.index()
	out := make([][]string, len(v.data))
	for i, row := range v.data {
		for _, w := range want {
			out[i] = append(out[i], row[idx[w]])
		}
	}
	return out
}
