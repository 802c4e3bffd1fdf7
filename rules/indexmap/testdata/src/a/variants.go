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

// What follows is left alone.

func places(names []string) map[string]int {
	at := make(map[string]int, len(names))
	for i, n := range names {
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
