package c44

import (
	"regexp"
)

// V1 renamed
var suffix = regexp.MustCompile(`\.go$`)

func isGo(n string) bool { return suffix.MatchString(n) }

// V2 method
type lx struct{ err *regexp.Regexp }

func newLx() *lx                { return &lx{err: regexp.MustCompile("ERROR")} }
func (l *lx) bad(s string) bool { return l.err.MatchString(s) }

// V3 closure
var tmp = regexp.MustCompile(`^tmp_`)

func only() func([]byte) bool { return func(b []byte) bool { return tmp.Match(b) } }

// V4 generic
var dash = regexp.MustCompile("--")

func count[S ~string](xs []S) (n int) {
	for _, x := range xs {
		if dash.MatchString(string(x)) {
			n++
		}
	}
	return
}

// V5 two functions
var slash = regexp.MustCompile(`^/api/`)

func match(r *regexp.Regexp, s string) bool { return r.MatchString(s) }
func isAPI(p string) bool                   { return match(slash, p) }
