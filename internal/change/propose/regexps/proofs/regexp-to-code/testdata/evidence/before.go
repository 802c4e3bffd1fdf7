// Package evidence reads amounts of memory such as 64MiB.
package evidence

import (
	"fmt"
	"regexp"
	"strconv"
)

var sizeRE = regexp.MustCompile(`^(\d+)(?:\.(\d))?\s*([KMG]i?)?B$`)

// A Size is an amount of memory as it was written.
type Size struct {
	Whole, Tenths int
	Unit          string
}

// Parse reads a size: digits, at most one decimal, a unit.
func Parse(s string) (Size, error) {
	m := sizeRE.FindStringSubmatch(s) // hot
	if m == nil {
		return Size{}, fmt.Errorf("not a size: %q", s)
	}
	whole, err := strconv.Atoi(m[1])
	if err != nil {
		return Size{}, fmt.Errorf("size %q: %w", s, err)
	}
	tenths := 0
	if m[2] != "" {
		tenths = int(m[2][0] - '0')
	}
	return Size{whole, tenths, m[3]}, nil
}
