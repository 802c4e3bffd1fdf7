// Package evidence reads amounts of memory such as 64MiB.
package evidence

import (
	"fmt"
	"strconv"
)

// findSize returns what FindStringSubmatch returns for the regular expression
//
//	^(\d+)(?:\.(\d))?\s*([KMG]i?)?B$
//
// It is small enough to be inlined, so that the result need not be allocated.
func findSize(s string) []string {
	return fillSize(s, new([4]string))
}

// fillSize puts the match and its groups into groups, which must be zero, and
// returns them as a slice; nil if s does not match. See findSize.
func fillSize(s string, groups *[4]string) []string {
	i := skipDigits(s, 0)
	if i == 0 {
		return nil
	}
	j := i
	// (?:\.([0-9]))?
	if j+1 < len(s) && s[j] == '.' && isDigit(s[j+1]) {
		groups[2] = s[j+1 : j+2]
		j += 2
	}
	groups[1] = s[:i]
	for j < len(s) && isSpace(s[j]) {
		j++
	}
	// ([GKM]i?)?
	if j < len(s) && isSizeByte(s[j]) {
		k := j + 1
		// i?
		if k < len(s) && s[k] == 'i' {
			k++
		}
		groups[3] = s[j:k]
		j = k
	}
	if j+1 != len(s) || s[j] != 'B' {
		return nil
	}
	groups[0] = s
	return groups[:]
}

// isDigit reports whether c is in [0-9].
func isDigit(c byte) bool {
	return '0' <= c && c <= '9'
}

// skipDigits returns the end of the bytes in [0-9] that s has from i on.
func skipDigits(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// isSpace reports whether c is in [\t\n\f\r ].
func isSpace(c byte) bool {
	return c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == ' '
}

// isSizeByte reports whether c is in [GKM].
func isSizeByte(c byte) bool {
	return c == 'G' || c == 'K' || c == 'M'
}

// A Size is an amount of memory as it was written.
type Size struct {
	Whole, Tenths int
	Unit          string
}

// Parse reads a size: digits, at most one decimal, a unit.
func Parse(s string) (Size, error) {
	m := findSize(s) // hot
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
