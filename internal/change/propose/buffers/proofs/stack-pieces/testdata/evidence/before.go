// Package evidence reads versions.
package evidence

import (
	"strconv"
	"strings"
)

// Parse returns the three numbers of a version such as "v1.22.3".
func Parse(version string) (numbers [3]int, ok bool) {
	parts := strings.Split(version, ".") // target
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
