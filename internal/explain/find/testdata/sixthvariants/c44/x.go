package c44

import "regexp"

// V1 field that a constructor sets
type filter struct {
	vendored *regexp.Regexp
	dropped  int
}

func newFilter() *filter {
	return &filter{vendored: regexp.MustCompile(`/vendor/`)}
}

func (f *filter) Keep(path string) bool {
	if f.vendored.MatchString(path) {
		f.dropped++
		return false
	}
	return true
}

func Kept(paths []string) (n int) {
	f := newFilter()
	for _, p := range paths {
		if f.Keep(p) {
			n++
		}
	}
	return n
}

// V2 other call, early continue
var temporary = regexp.MustCompile(`\.tmp$`)

func Lasting(names []string) (n int) {
	for _, name := range names {
		if temporary.FindStringIndex(name) != nil {
			continue
		}
		n++
	}
	return n
}
