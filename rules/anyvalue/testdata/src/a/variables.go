package a

func counters() (inc func(string), get func(string) int, sum func() int) {
	values := map[string]any{}
	get = func(key string) int {
		n, _ := values[key].(int)
		return n
	}
	inc = func(key string) {
		values[key] = get(key) + 1 // want `the int is boxed on the heap, and values holds no other type: give it that one`
	}
	sum = func() (n int) {
		for _, v := range values {
			n += v.(int)
		}
		return n
	}
	return inc, get, sum
}

var durations = make([]any, 0, 8)

func took(ms float64) { durations = append(durations, ms) } // want `the float64 is boxed on the heap, and durations holds no other type`

func slowest() (most float64) {
	for _, d := range durations {
		switch d := d.(type) {
		case float64:
			most = max(most, d)
		}
	}
	return most
}

// What follows is left alone.

func handedOn(n int) map[string]any {
	doc := map[string]any{}
	doc["n"] = n
	if m, ok := doc["n"].(int); ok && m > 9 {
		delete(doc, "n")
	}
	return doc
}

func passed(n int, keep func(any)) int {
	all := map[string]any{"n": n}
	for _, v := range all {
		keep(v)
	}
	m, _ := all["n"].(int)
	return m
}

func several(n int, s string) int {
	all := map[string]any{}
	all["n"], all["s"] = n, s
	m, _ := all["n"].(int)
	return m
}

func given(all map[string]any, n int) int {
	all["n"] = n
	m, _ := all["n"].(int)
	return m
}
