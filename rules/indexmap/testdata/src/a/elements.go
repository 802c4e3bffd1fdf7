package a

type column[K comparable] struct {
	key  K
	size int
}

type sheet[K comparable] struct{ columns []column[K] }

func (s *sheet[K]) has(first, second K) bool {
	have := map[K]bool{}
	for i := 0; i < len(s.columns); i++ { // want `have is built for 2 lookups; scanning s.columns needs no map`
		have[s.columns[i].key] = true
	}
	return have[first] && have[second]
}

type field struct{ name string }

func position(fields []field, name string) int {
	at := make(map[string]int, len(fields))
	for i, f := range fields { // want `at is built for a lookup; scanning fields needs no map`
		at[f.name] = i
	}
	return at[name]
}

// What follows is left alone.

func other(fields []field, names []string, name string) bool {
	have := map[string]bool{}
	for i := range fields {
		have[names[i]] = true // of another slice
	}
	return have[name]
}

func every(fields []field, names []string) (n int) {
	have := map[string]bool{}
	for i := range fields {
		have[fields[i].name] = true
	}
	for _, name := range names {
		if have[name] {
			n++
		}
	}
	return n
}
