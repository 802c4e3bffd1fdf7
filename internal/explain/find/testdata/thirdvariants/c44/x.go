package c44

import "regexp"

// V2 method
var apiPath = regexp.MustCompile(`^/api/`)

type router struct{ hits int }

func (rt *router) route(p string) bool {
	if apiPath.MatchString(p) {
		rt.hits++
		return true
	}
	return false
}
