package hotpath

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// matches reports whether a -bench pattern selects a benchmark, the way the
// testing package has it: alternatives are set apart by "|", each is split at
// slashes, and each part is looked for in the part of the name at its place. A
// pattern with more parts than the name selects nothing that is timed.
func matches(pattern, name string) bool {
	elems := strings.Split(name, "/")
	for _, alternative := range gocmd.SplitPattern(pattern, '|') {
		parts := gocmd.SplitPattern(alternative, '/')
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

func checkPattern(pattern string) error {
	for _, alternative := range gocmd.SplitPattern(pattern, '|') {
		for _, p := range gocmd.SplitPattern(alternative, '/') {
			if _, err := regexp.Compile(p); err != nil {
				return fmt.Errorf("%q is no regular expression: %w", shorten(pattern), err)
			}
		}
	}
	return nil
}
