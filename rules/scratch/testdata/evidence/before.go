// Package evidence counts the distinct words of each line.
package evidence

// Distinct returns, for each line, how many distinct words it has.
func Distinct(lines [][]string) []int {
	counts := make([]int, len(lines))
	for i, words := range lines {
		seen := map[string]struct{}{}
		for _, w := range words {
			seen[w] = struct{}{}
		}
		counts[i] = len(seen)
	}
	return counts
}

// Checksums returns a checksum of each word's padded bytes.
func Checksums(words []string, pad int) []int {
	sums := make([]int, len(words))
	for i, w := range words {
		buf := make([]byte, len(w)+pad)
		copy(buf, w)
		for _, b := range buf {
			sums[i] = sums[i]*31 + int(b)
		}
	}
	return sums
}
