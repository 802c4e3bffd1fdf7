package c44

import "regexp"

// V1 two functions
var draft = regexp.MustCompile(`^draft-`)

func matches(re *regexp.Regexp, s string) bool { return re.MatchString(s) }

func Published(names []string) (n int) {
	for _, name := range names {
		if !matches(draft, name) {
			n++
		}
	}
	return n
}
