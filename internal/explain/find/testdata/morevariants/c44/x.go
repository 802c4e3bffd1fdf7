package c44

import (
	"regexp"
)

// V1 renamed
var acctRE = regexp.MustCompile(`^acct:`)

func isAccount(id string) bool { return acctRE.MatchString(id) }

// V2 method
type filter struct{ re *regexp.Regexp }

func newFilter() *filter              { return &filter{re: regexp.MustCompile(`\.json$`)} }
func (f *filter) ok(name string) bool { return f.re.MatchString(name) }

// V3 closure
func hasError() func(string) bool {
	re := regexp.MustCompile(`ERROR`)
	return func(line string) bool { return re.MatchString(line) }
}

// V4 generic
var slashRE = regexp.MustCompile(`^/api/v1/`)

func Routed[T ~string](p T) bool { return slashRE.MatchString(string(p)) }

// V5 two functions
var tagRE = regexp.MustCompile("^v")

func match(re *regexp.Regexp, s string) bool { return re.MatchString(s) }
func tagged(s string) bool                   { return match(tagRE, s) }
