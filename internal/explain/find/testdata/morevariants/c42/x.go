package c42

import (
	"regexp"
)

// V1 renamed
var mailRE = regexp.MustCompile(`^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,64}$`)

func isMail(s string) bool { return mailRE.MatchString(s) }

// V2 method, missed
var datePattern = regexp.MustCompile(`(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})`)

type clock struct{}

func (clock) parts(s string) []string { return datePattern.FindStringSubmatch(s) }

// V3 closure, missed
var wordRE = regexp.MustCompile(`\b[[:alpha:]]+(?:-[[:alpha:]]+)*\b`)

func finder() func(string) []string {
	return func(s string) []string { return wordRE.FindAllString(s, -1) }
}

// V4 generic, missed
var idRE = regexp.MustCompile(`^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}$`)

func ValidID[T ~string](id T) bool { return idRE.MatchString(string(id)) }

// V5 two functions, missed
var phoneRE = mustRE(`^\+?[0-9 ()-]{7,20}$`)

func mustRE(p string) *regexp.Regexp { return regexp.MustCompile(p) }
func phone(s string) bool            { return phoneRE.MatchString(s) }
