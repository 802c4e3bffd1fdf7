package c43

import "regexp"

// V4 generic
func filter[S ~string](in []S) (out []S) {
	digits := regexp.MustCompile(`^\d+(\.\d+)?$`)
	for _, s := range in {
		if digits.MatchString(string(s)) {
			out = append(out, s)
		}
	}
	return out
}
