package a

import (
	"os"
	"regexp"
)

const large = `^(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})(?::[0-9]{1,5})?(?:/[a-z]{1,40})?$`

var address = regexp.MustCompile(large) // want `a pattern of \d+ instructions is compiled at each start of the program; sync.OnceValue compiles it at the first use`

// Exported is anybody's: no fix.
var Exported = regexp.MustCompile(large) // want `a pattern of`

var (
	fromEnv = regexp.MustCompile(os.Getenv("PATTERN")) // want `a pattern that is not constant is compiled at each start`

	// It is set elsewhere: no fix.
	settable = regexp.MustCompile(large) // want `a pattern of`

	posix = regexp.MustCompilePOSIX(large1) // want `a pattern of`
)

const large1 = "[a-z]{1,99}(x|y)"

type checker struct{ strict bool }

func (c checker) valid(s string) bool { return address.MatchString(s) && !c.strict }

func find(s string) []string {
	visit := func(re *regexp.Regexp) []string { return re.FindStringSubmatch(s) }
	return visit(address)
}

func first[T ~string](all []T) (out []T) {
	for _, s := range all {
		if posix.MatchString(string(s)) {
			out = append(out, s)
		}
	}
	return out
}

func set(re *regexp.Regexp) bool {
	settable = re
	return fromEnv.MatchString("x") && Exported.MatchString("x")
}

// What follows is left alone.

var word = regexp.MustCompile(`^[a-z]+$`) // small

func local(s string) bool {
	var re = regexp.MustCompile(large) // the rule regexpcompile speaks of it
	return re.MatchString(s) && word.MatchString(s)
}
