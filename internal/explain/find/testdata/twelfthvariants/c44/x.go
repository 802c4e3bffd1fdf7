package c44

import "regexp"

// V3 closure
func imageFilter() func(name string) bool {
	suffix := regexp.MustCompile(`\.png$`)
	return func(name string) bool { return suffix.MatchString(name) }
}
