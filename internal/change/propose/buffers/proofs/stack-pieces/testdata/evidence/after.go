// Package evidence reads versions.
package evidence

import (
	"strconv"
	"strings"
)

// Parse returns the three numbers of a version such as "v1.22.3".
func Parse(version string) (numbers [3]int, ok bool) {
	var buf [8]string
	parts := splitInto(buf[:], version, ".") // target
	if len(parts) != len(numbers) {
		return numbers, false
	}
	for i, part := range parts {
		if i == 0 {
			part = strings.TrimPrefix(part, "v")
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return numbers, false
		}
		numbers[i] = n
	}
	return numbers, true
}

// splitInto returns the pieces of strings.Split(s, sep), in dst if they fit.
func splitInto(dst []string, s, sep string) []string {
	n := strings.Count(s, sep)
	if n >= len(dst) || sep == "" {
		return strings.Split(s, sep)
	}
	for i := range dst[:n] {
		at := strings.Index(s, sep)
		dst[i], s = s[:at], s[at+len(sep):]
	}
	dst[n] = s
	return dst[: n+1 : n+1]
}
