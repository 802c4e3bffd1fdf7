package a

func positions(names []string) map[string]int {
	at := make(map[string]int, len(names))
	for i, n := range names { // want `positions builds a map for each caller`
		at[n] = i
	}
	return at
}

func pick(names, row []string, name string) string {
	at := positions(names)
	return row[at[name]]
}

func places(names []string) map[string]int {
	at := make(map[string]int, len(names))
	for i, n := range names { // want `at finds the positions in names anew on each call`
		at[n] = i
	}
	return at
}

func rows(names []string, all [][]string, wanted []string) (n int) {
	at := places(names)
	for _, w := range wanted {
		n += len(all[at[w]])
	}
	return n
}

// What follows is left alone.

func members(names []string) map[string]bool {
	in := make(map[string]bool, len(names))
	for _, n := range names {
		in[n] = true
	}
	return in
}

func both(names, wanted []string) (n int) {
	in := members(names)
	for _, w := range wanted {
		if in[w] {
			n++
		}
	}
	return n
}

func everywhere(names []string) map[string]int {
	at := make(map[string]int, len(names))
	for i, n := range names {
		at[n] = i
	}
	return at
}

var known = everywhere([]string{"a", "b"})
