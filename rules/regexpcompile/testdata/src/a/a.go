package a

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"sync"
)

func ValidHost(host string) bool {
	re := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) // want `regexp.MustCompile of a constant pattern compiles it on every call of ValidHost`
	return re.MatchString(host)
}

// Squeeze has a comment.
func Squeeze(s string) string {
	return regexp.MustCompile(`\s+`).ReplaceAllString(s, " ") // want `on every call of Squeeze`
}

const digits = `[0-9]+`

func number(s string) (bool, error) {
	return regexp.MatchString("^"+digits+"$", s) // want `regexp.MatchString of a constant pattern`
}

func blank(b []byte) bool {
	ok, _ := regexp.Match(`^\s*$`, b) // want `regexp.Match of a constant pattern`
	return ok
}

func split(s string) ([]string, error) {
	re, err := regexp.Compile(`[,;]`) // want `regexp.Compile of a constant pattern`
	if err != nil {
		return nil, fmt.Errorf("pattern: %w", err)
	}
	return re.Split(s, -1), nil
}

func inner(s string) bool {
	const word = `\bgo\b`
	found, err := regexp.MatchString(word, s) // want `regexp.MatchString of a constant pattern`
	if err != nil {
		panic(err)
	}
	return found
}

func longest(s string) string {
	return regexp.MustCompilePOSIX(`a+|b+`).FindString(s) // want `regexp.MustCompilePOSIX of a constant pattern`
}

func lines(f *os.File) (n int) {
	for sc := bufio.NewScanner(f); sc.Scan(); {
		re := regexp.MustCompile(`^#+ `) // want `in a loop compiles it in every iteration`
		if re.Match(sc.Bytes()) {
			n++
		}
	}
	return n
}

type matcher struct{ re *regexp.Regexp }

// It is stored: the rule cannot tell who else changes it, and the fix is a proposal.
func newMatcher() *matcher {
	return &matcher{re: regexp.MustCompile(`x+y`)} // want `on every call of newMatcher`
}

func serve(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, newMatcher().re.MatchString(r.URL.Path))
}

// The error is used for more than its branch: no fix.
func both(s string) error {
	re, err := regexp.Compile(`[a-f]`) // want `regexp.Compile of a constant pattern`
	if err == nil && !re.MatchString(s) {
		err = fmt.Errorf("no match")
	}
	return err
}

// A variable would be left without use: no fix.
func left(s string) bool {
	n := len(s)
	re, err := regexp.Compile(`[a-f]`) // want `regexp.Compile of a constant pattern`
	if err != nil {
		println(n)
		return false
	}
	return re.MatchString(s)
}

func Handler() func(string) string {
	return func(s string) string {
		return regexp.MustCompile(`\r?\n`).ReplaceAllString(s, "") // want `on every call of a function literal in Handler`
	}
}

func word() *regexp.Regexp { return regexp.MustCompile(`^[a-z]+$`) } // want `on every call of word`

func IsWord(s string) bool { return word().MatchString(s) }

// What follows is left alone.

var hostRE = regexp.MustCompile(`^h[0-9]+$`)

var lazyRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^l[0-9]+$`) })

var (
	once sync.Once
	kept *regexp.Regexp
)

func lazily(s string) bool {
	once.Do(func() { kept = regexp.MustCompile(`^k[0-9]+$`) })
	return kept.MatchString(s)
}

func memo(s string) bool {
	if kept == nil {
		kept = regexp.MustCompile(`^k[0-9]*$`)
	}
	return kept.MatchString(s)
}

func pattern(p, s string) bool {
	return regexp.MustCompile(p).MatchString(s)
}

func quoted(w, s string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(w) + `\b`).MatchString(s)
}

// New may be called once.
func New() *matcher {
	return &matcher{re: regexp.MustCompile(`x*y`)}
}

func Closure() func(string) bool {
	re := regexp.MustCompile(`[xyz]`)
	return func(s string) bool { return re.MatchString(s) }
}

// The loop shares one expression.
func Count(all []string) (n int) {
	re := regexp.MustCompile(`[xyz]`)
	for _, s := range all {
		if re.MatchString(s) {
			n++
		}
	}
	return n
}

var table map[string]*regexp.Regexp

func init() {
	re := regexp.MustCompile(`[a-z]`)
	table = map[string]*regexp.Regexp{"": setup(), "x": re}
}

func setup() *regexp.Regexp {
	re := regexp.MustCompile(`[a-y]`)
	if re.MatchString("") {
		return nil
	}
	return re
}

var commands = map[string]func(string){"bug": report}

func report(s string) { println(version(s)) }

// Only the program's own code calls it, and not in a loop.
func version(s string) string {
	re := regexp.MustCompile(`v[0-9]+`)
	return re.FindString(s)
}

func invalid(s string) bool {
	ok, err := regexp.MatchString(`(`, s)
	return ok && err == nil
}
