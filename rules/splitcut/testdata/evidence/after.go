// Package evidence routes a request by the first two segments of its path.
package evidence

import "strings"

// Route returns the service and the version that a path names.
func Route(path string) (service, version string, ok bool) {
	head, rest, found := strings.Cut(path, "/")
	next, _, _ := strings.Cut(rest, "/")
	if !found {
		return "", "", false
	}
	return head, next, true
}
