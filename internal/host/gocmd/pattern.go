package gocmd

import "strings"

// TopOf returns the part of a -bench pattern that selects functions: of each of
// its alternatives what is before the first slash.
func TopOf(pattern string) string {
	all := SplitPattern(pattern, '|')
	for i, a := range all {
		all[i] = SplitPattern(a, '/')[0]
		if len(all) > 1 && strings.Contains(all[i], "(?") { // the flags of one are not those of the next
			all[i] = "(?:" + all[i] + ")"
		}
	}
	return strings.Join(all, "|")
}

// SplitPattern splits a -bench pattern the way the testing package does: at bars
// and, each alternative, at slashes, where they are outside brackets and
// parentheses and have no backslash before them.
func SplitPattern(pattern string, sep byte) []string {
	var out []string
	set, depth, from := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			set++
		case c == ']':
			set = max(0, set-1) // one without a bracket that opens stands for itself
		case c == '(' && set == 0:
			depth++
		case c == ')' && set == 0:
			depth--
		case c == sep && set == 0 && depth == 0:
			out = append(out, pattern[from:i])
			from = i + 1
		}
	}
	return append(out, pattern[from:])
}
