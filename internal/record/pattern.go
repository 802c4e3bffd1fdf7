package record

import (
	"fmt"
	"regexp"
	"strings"
)

// Matches reports whether a -bench pattern selects a benchmark, the way the
// testing package has it: alternatives are set apart by "|", each is split at
// slashes, and each part is looked for in the part of the name at its place. A
// pattern with more parts than the name selects nothing that is timed.
func Matches(pattern, name string) bool {
	elems := strings.Split(name, "/")
	for _, alternative := range splitPattern(pattern, '|') {
		parts := splitPattern(alternative, '/')
		if len(parts) > len(elems) {
			continue
		}
		all := true
		for i, p := range parts {
			re, err := regexp.Compile(p)
			all = all && err == nil && re.MatchString(elems[i])
		}
		if all {
			return true
		}
	}
	return false
}

// checkPattern is the error of a pattern that cannot be compiled.
func checkPattern(pattern string) error {
	for _, alternative := range splitPattern(pattern, '|') {
		for _, p := range splitPattern(alternative, '/') {
			if _, err := regexp.Compile(p); err != nil {
				return fmt.Errorf("%q is no regular expression: %w", shorten(pattern), err)
			}
		}
	}
	return nil
}

// splitPattern splits a pattern at sep outside brackets and parentheses.
func splitPattern(pattern string, sep byte) []string {
	var out []string
	set, depth, from := false, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			set = true
		case c == ']':
			set = false
		case c == '(' && !set:
			depth++
		case c == ')' && !set:
			depth--
		case c == sep && !set && depth <= 0:
			out = append(out, pattern[from:i])
			from = i + 1
		}
	}
	return append(out, pattern[from:])
}

// functionPattern returns what a pattern says of functions: of each of its
// alternatives the first part.
func functionPattern(pattern string) string {
	var out []string
	for _, alternative := range splitPattern(pattern, '|') {
		out = append(out, splitPattern(alternative, '/')[0])
	}
	return strings.Join(out, "|")
}
