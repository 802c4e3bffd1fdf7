package a

import "regexp"

var (
	startsWithV = regexp.MustCompile(`^v`)
	numbered    = regexp.MustCompile(`^v[0-9]+`)
)

func fits(re *regexp.Regexp, s string) bool { return re.MatchString(s) }

func released(s string) bool { return fits(startsWithV, s) } // want `the pattern is plain text: strings.HasPrefix`

type sieve struct{ re *regexp.Regexp }

func newSieve() *sieve { return &sieve{re: regexp.MustCompile(`\.go$`)} }

func (s *sieve) takes(name string) bool { return s.re.MatchString(name) } // want `strings.HasSuffix`

// What follows is left alone.

func release(s string) bool { return fits(numbered, s) }

type chosen struct{ re *regexp.Regexp }

func choose(a bool) *chosen {
	if a {
		return &chosen{re: regexp.MustCompile(`^a`)}
	}
	return &chosen{re: regexp.MustCompile(`^b`)}
}

func (c *chosen) takes(name string) bool { return c.re.MatchString(name) }
