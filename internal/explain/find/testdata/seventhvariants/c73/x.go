package c73

// V1 method, set, generic
type column[K comparable] struct {
	key  K
	size int
}

type sheet[K comparable] struct{ columns []column[K] }

func (s *sheet[K]) Has(first, second K) bool {
	have := map[K]bool{}
	for i := 0; i < len(s.columns); i++ {
		have[s.columns[i].key] = true
	}
	return have[first] && have[second]
}
