package hotpath

// nearest returns the word that word is most likely meant to be: the one that
// is the fewest edits away, and of several the first.
func nearest(word string, words []string) string {
	const most = 40 // no key is as long, and the rest of a long word says nothing
	w := []rune(word)
	w = w[:min(len(w), most)]
	best, least := "", int(^uint(0)>>1)
	for _, have := range words {
		if d := distance(w, []rune(have)); d < least {
			best, least = have, d
		}
	}
	return best
}

// distance is the number of insertions, deletions and replacements that lead
// from a to b.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
