// Package evidence finds the columns of a table by their names.
package evidence

// Pick returns the positions of two columns in a header. Of columns with one
// name the last counts.
func Pick(header []string, first, second string) (a, b int, ok bool) {
	index := make(map[string]int)
	for i, h := range header {
		index[h] = i
	}
	a, ok1 := index[first]
	b, ok2 := index[second]
	return a, b, ok1 && ok2
}
