package c42

import "regexp"

// V3 closure
var userAgent = regexp.MustCompile(`(?i)(?:mozilla|opera|dalvik)/[0-9]{1,3}\.[0-9]{1,3}(?: \((?:[a-z0-9;:./_ -]{1,120})\))?(?: (?:applewebkit|gecko|presto|trident)/[0-9]{1,8}(?:\.[0-9]{1,4}){0,3})?(?: (?:chrome|firefox|safari|edge|opr)/[0-9]{1,4}(?:\.[0-9]{1,5}){0,3})*`)

func browserFilter(keep bool) func(agent string) bool {
	return func(agent string) bool { return userAgent.MatchString(agent) == keep }
}
