package c73

import ()

// V1 renamed
func cell(head []string, rec []string, col string) string {
	at := map[string]int{}
	for i, h := range head {
		at[h] = i
	}
	if i, ok := at[col]; ok {
		return rec[i]
	}
	return ""
}

// V2 method
type frame struct {
	head []string
	recs [][]string
}

func (f *frame) filter(key, val string) (out [][]string) {
	idx := make(map[string]int, len(f.head))
	for i, h := range f.head {
		idx[h] = i
	}
	k, ok := idx[key]
	if !ok {
		return nil
	}
	for _, r := range f.recs {
		if r[k] == val {
			out = append(out, r)
		}
	}
	return out
}

// V3 closure
func picker() func(cols []string, name string) int {
	return func(cols []string, name string) int {
		m := make(map[string]int)
		for i, c := range cols {
			m[c] = i
		}
		return m[name]
	}
}

// V4 generic
func IndexOf[T comparable](xs []T, x T) (int, bool) {
	m := make(map[T]int, len(xs))
	for i, v := range xs {
		m[v] = i
	}
	i, ok := m[x]
	return i, ok
}

// V5 two functions
func headerIndex(h []string) map[string]int {
	m := make(map[string]int, len(h))
	for i, c := range h {
		m[c] = i
	}
	return m
}
func valueOf(h, rec []string, col string) string {
	i, ok := headerIndex(h)[col]
	if !ok {
		return ""
	}
	return rec[i]
}
