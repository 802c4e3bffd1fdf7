// Package evidence measures how deep brackets go.
package evidence

// Depths returns the depth of each text.
func Depths(texts []string) []int {
	depths := make([]int, len(texts))
	for i, text := range texts {
		depths[i] = depth(text)
	}
	return depths
}

// depth returns the depth of a text.
func depth(text string) (deepest int) {
	open := 0
	for _, r := range text {
		if r == '(' {
			open++
			deepest = max(deepest, open)
		} else if open--; open < 0 {
			break
		}
	}
	return deepest
}
