package c73

// V1 renamed
func col(head []string, row []string, want string) string {
	pos := map[string]int{}
	for i, h := range head {
		pos[h] = i
	}
	if i, ok := pos[want]; ok {
		return row[i]
	}
	return ""
}

// V2 method
type tab struct{ head []string }

func (t *tab) two(a, b string) (int, int) {
	ix := make(map[string]int, len(t.head))
	for i := range t.head {
		ix[t.head[i]] = i
	}
	return ix[a], ix[b]
}

// V3 closure
func finder(hs []string) func(string) int {
	return func(s string) int {
		m := make(map[string]int)
		for i, h := range hs {
			m[h] = i
		}
		return m[s]
	}
}

// V4 generic
func posOf[K comparable](ks []K, k K) (int, bool) {
	m := map[K]int{}
	for i, x := range ks {
		m[x] = i
	}
	p, ok := m[k]
	return p, ok
}

// V5 two functions
func index(ks []string) map[string]int {
	m := make(map[string]int, len(ks))
	for i, k := range ks {
		m[k] = i
	}
	return m
}
func at(ks []string, k string) int { return index(ks)[k] }
