package regexps

import (
	"regexp"
	"strings"
	"testing"
)

func TestInEach(t *testing.T) {
	for pattern, want := range map[string]string{
		`\w+@\w+\.org`: ".org", `(a-b)+`: "a-b", `x{2,3}y?`: "x", `[@]\d`: "@", `(?m)^\s*# (.*)$`: "# ",
		`^[a-z]+@b`: "@b", `^data-.+x`: "", `(?m)^data-x`: "data-x", `a|b`: "", `(?i)x@y`: "@", `(?i)xy`: "", `(?i)a::b-`: "::", `\d@?`: "", `\d(@\d)*`: "", `\d@{0,2}`: "", "\\d\uFFFD": "", ``: "", `(`: "",
	} {
		if got := inEach(pattern); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}

func FuzzInEach(f *testing.F) {
	for _, pattern := range []string{`\w+@\w+`, `(?i)a-b`, `(a|b)+c{2}`, `\x{FFFD}x`, `[^a]b*(?:cd)?$`, `(?s:.)\Q.*\E`} {
		f.Add(pattern, "me@home a-b aabcc \xffx .* cd")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := regexp.Compile(pattern)
		if err != nil || len(pattern) > 100 || len(text) > 1000 {
			return
		}
		for _, m := range re.FindAllString(text, -1) {
			if literal := inEach(pattern); !strings.Contains(m, literal) {
				t.Errorf("%q matches %q, which has no %q", pattern, m, literal)
			}
		}
	})
}
