package a

import (
	"fmt"
	"io"
	"regexp"
)

var (
	acct   = regexp.MustCompile(`^acct:`)
	suffix = regexp.MustCompile(`[.]json$`)
	errors = regexp.MustCompile(`error`)
	exact  = regexp.MustCompile(`^a\.b$`)
	none   = regexp.MustCompile(`^$`)
	shared = regexp.MustCompile(`^shared`)
)

var alone = regexp.MustCompile(`^alone`)

func pkg(s string, b []byte) bool {
	if acct.MatchString(s) { // want `the pattern is plain text: strings.HasPrefix finds it`
		return true
	}
	if !suffix.MatchString(s) && errors.Match(b) { // want `strings.HasSuffix finds it` `bytes.Contains finds it`
		return false
	}
	return errors.MatchString(s) // want `strings.Contains finds it`
}

func equal(s string, b []byte) bool {
	if !exact.MatchString(s) { // want `== finds it`
		return exact.Match(b) // want `== finds it`
	}
	return none.MatchString(s) == (s == "") // want `== finds it`
}

func single(s string) bool {
	return alone.MatchString(s) // want `strings.HasPrefix finds it`
}

func index(s string) (bool, bool) {
	return acct.FindStringIndex(s) != nil, acct.FindIndex([]byte(s)) == nil // want `strings.HasPrefix finds it` `bytes.HasPrefix finds it`
}

func inline(s string) bool {
	return regexp.MustCompile(`needle`).MatchString(s) // want `strings.Contains finds it`
}

func local(a, b string) bool {
	re := regexp.MustCompile(`^ab`)
	return re.MatchString(a) || re.MatchString(b) // want `strings.HasPrefix finds it`
}

func partly(s string) (bool, string) {
	re := regexp.MustCompile(`ab`)
	return re.MatchString(s), re.ReplaceAllString(s, "") // want `strings.Contains finds it`
}

func pair(s string) (bool, error) {
	if ok, _ := regexp.MatchString(`^x`, s); ok { // want `strings.HasPrefix finds it`
		return ok, nil
	}
	return regexp.MatchString("x$", s) // want `strings.HasSuffix finds it`
}

// The error has a name: no fix.
func named(s string) bool {
	ok, err := regexp.MatchString(`^x`, s) // want `strings.HasPrefix finds it`
	return err == nil && ok
}

func handed(s string) bool {
	fmt.Println(shared)
	return shared.MatchString(s) // want `strings.HasPrefix finds it`
}

// What follows is left alone.

var (
	fold      = regexp.MustCompile(`(?i)^acct:`)
	multi     = regexp.MustCompile(`(?m)^acct:`)
	multiEnd  = regexp.MustCompile(`(?m)json$`)
	word      = regexp.MustCompile(`\bacct`)
	dot       = regexp.MustCompile(`a.b`)
	group     = regexp.MustCompile(`^(acct):`)
	either    = regexp.MustCompile(`a|b`)
	invalid   = regexp.MustCompile("\uFFFD")
	posix     = regexp.MustCompilePOSIX(`^acct`) // ^ is the start of a line there
	anything  = regexp.MustCompile(`^`)
	Exported  = regexp.MustCompile(`^acct:`)
	assigned  = regexp.MustCompile(`^acct:`)
	submatch  = regexp.MustCompile(`acct`)
	byPattern *regexp.Regexp
)

func setup(p string) {
	assigned = regexp.MustCompile(p)
	byPattern = regexp.MustCompile("x")
}

func others(s string, r io.RuneReader, re *regexp.Regexp) bool {
	for _, re := range []*regexp.Regexp{word} {
		if re.MatchString(s) {
			return true
		}
	}
	return fold.MatchString(s) || multi.MatchString(s) || multiEnd.MatchString(s) || word.MatchString(s) || dot.MatchString(s) ||
		group.MatchString(s) || either.MatchString(s) || invalid.MatchString(s) || posix.MatchString(s) || anything.MatchString(s) ||
		Exported.MatchString(s) || assigned.MatchString(s) || byPattern.MatchString(s) || submatch.FindStringSubmatch(s) != nil ||
		submatch.MatchReader(r) || re.MatchString(s)
}

func where(s string) int {
	if at := submatch.FindStringIndex(s); at != nil {
		return at[0]
	}
	return -1
}
