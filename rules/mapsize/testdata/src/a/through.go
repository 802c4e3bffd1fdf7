package a

func noneYet() map[string]int { return map[string]int{} }

func placed(names []string) map[string]int {
	at := noneYet()
	for i, n := range names {
		at[n] = i // want `at is rehashed while it grows`
	}
	return at
}

// What follows is left alone.

func roomFor(n int) map[string]int { return make(map[string]int, n) }

func roomy(names []string) map[string]int {
	at := roomFor(len(names))
	for i, n := range names {
		at[n] = i
	}
	return at
}
