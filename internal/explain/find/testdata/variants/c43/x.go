package c43

import (
	"regexp"
)

// V1 renamed
func isDate(s string) bool {
	dateRE, err := regexp.Compile(`^\d{4}-\d{2}-\d{2}$`)
	if err != nil {
		return false
	}
	return dateRE.MatchString(s)
}

// V2 method
type p struct{}

func (p) split(s string) []string { return regexp.MustCompile(`[,;]\s*`).Split(s, -1) }

// V3 closure
func clean() func(string) string {
	return func(s string) string {
		re := regexp.MustCompile(`\s+`)
		return re.ReplaceAllString(s, " ")
	}
}

// V4 generic
func matchAny[S ~string](xs []S) (n int) {
	for _, x := range xs {
		if ok, _ := regexp.MatchString(`^v[0-9]+$`, string(x)); ok {
			n++
		}
	}
	return
}

// V5 two functions
const userPat = `^[a-z][a-z0-9_]{2,30}$`

func comp() *regexp.Regexp { return regexp.MustCompile(userPat) }
func okUser(u string) bool { return comp().MatchString(u) }
