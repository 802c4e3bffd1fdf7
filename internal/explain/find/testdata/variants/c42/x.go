package c42

import (
	"regexp"
)

const bigPat = `^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}|(?:[A-Fa-f0-9]{1,4}:){7}[A-Fa-f0-9]{1,4}|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,10}[a-z]{2,30}$`

// V1 renamed
var hostRE = regexp.MustCompile(bigPat)

func okHost(s string) bool { return hostRE.MatchString(s) }

// V2 method
type v struct{}

var ipRE = regexp.MustCompile(`^(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?:/[0-9]{1,2})?|(?:[A-Fa-f0-9]{1,4}:){1,7}[A-Fa-f0-9]{1,4}(?:%[0-9a-zA-Z]{1,100})?$`)

func (v) ip(s string) bool { return ipRE.MatchString(s) }

// V3 closure
var grp = regexp.MustCompile(`(?i)(?:\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b[\s,]{1,20}){1,50}(?:[0-9]{1,4}[-/.]){2}[0-9]{1,4}`)

func days() func(string) []string { return func(s string) []string { return grp.FindAllString(s, -1) } }

// V4 generic
var longRE = regexp.MustCompile(`^[\p{L}\p{N}._%+-]{1,200}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}]{2,63}$`)

func mails[S ~string](xs []S) (n int) {
	for _, x := range xs {
		if longRE.MatchString(string(x)) {
			n++
		}
	}
	return
}

// V5 two functions
func must(p string) *regexp.Regexp { return regexp.MustCompile(p) }

var viaRE = must(bigPat)

func via(s string) bool { return viaRE.MatchString(s) }
