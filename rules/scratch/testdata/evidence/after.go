// Package evidence counts the distinct words of each line.
package evidence

import "slices"

// Distinct returns, for each line, how many distinct words it has.
func Distinct(lines [][]string) []int {
	counts := make([]int, len(lines))
	seen := map[string]struct{}{}
	for i, words := range lines {
		clear(seen)
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
	var buf []byte
	for i, w := range words {
		buf = slices.Grow(buf[:0], len(w)+pad)[:len(w)+pad]
		clear(buf)
		copy(buf, w)
		for _, b := range buf {
			sums[i] = sums[i]*31 + int(b)
		}
	}
	return sums
}
