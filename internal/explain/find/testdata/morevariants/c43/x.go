package c43

import (
	"regexp"
)

// V1 renamed
func numbersIn(text string) []string {
	rx := regexp.MustCompile(`[0-9]+`)
	return rx.FindAllString(text, -1)
}

// V2 method
type rules struct{ lines []string }

func (r *rules) match() (n int) {
	for _, l := range r.lines {
		if ok, _ := regexp.MatchString(`^\s*#`, l); ok {
			n++
		}
	}
	return n
}

// V3 closure
func cleaner() func(string) string {
	return func(s string) string {
		return regexp.MustCompile(`\s+`).ReplaceAllString(s, " ")
	}
}

// V4 generic
func Filter[S ~string](in []S) (out []S) {
	re := regexp.MustCompile(`^[a-z]+$`)
	for _, s := range in {
		if re.MatchString(string(s)) {
			out = append(out, s)
		}
	}
	return out
}

// V5 two functions
func compile(p string) *regexp.Regexp { return regexp.MustCompile(p) }
func hasDigits(s string) bool         { return compile(`\d{3,}`).MatchString(s) }
