package c42

import "regexp"

// V1 map of a package, missed
var shapes = map[string]*regexp.Regexp{
	"time": regexp.MustCompile(`^(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?$`),
	"uuid": regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`),
}

func Is(kind, text string) bool {
	re, ok := shapes[kind]
	return ok && re.MatchString(text)
}
