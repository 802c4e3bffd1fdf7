// Package evidence measures how deep brackets go.
package evidence

// Depths returns the depth of each text.
func Depths(texts []string) []int {
	depths := make([]int, len(texts))
	for i, text := range texts {
		depths[i], _ = depth(text, 0)
	}
	return depths
}

// depth returns the depth of what begins at a place, and where that ends.
func depth(text string, at int) (deepest, end int) {
	var frame [256]byte
	for at < len(text) && text[at] == '(' {
		n, next := depth(text, at+1)
		frame[at%len(frame)] = 1
		deepest, at = max(deepest, n+int(frame[at%len(frame)])), next
	}
	return deepest, at + 1
}
