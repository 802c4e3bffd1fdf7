package a

func put(m map[string]int, k string, v int) { m[k] = v }

func lens(words []string) map[string]int {
	m := map[string]int{}
	for _, w := range words {
		put(m, w, len(w)) // want `m is rehashed while it grows`
	}
	return m
}

// What follows is left alone.

func putNew(m map[string]int, k string, v int) {
	if _, ok := m[k]; !ok {
		m[k] = v
	}
}

func firsts(words []string) map[string]int {
	m := map[string]int{}
	for i, w := range words {
		putNew(m, w, i)
	}
	return m
}

func last(words []string) map[string]int {
	m := map[string]int{}
	for i := range words {
		put(m, "last", i)
	}
	return m
}
