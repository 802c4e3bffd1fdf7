// Package evidence routes a request by the first two segments of its path.
package evidence

import "strings"

// Route returns the service and the version that a path names.
func Route(path string) (service, version string, ok bool) {
	parts := strings.Split(path, "/")
	if len(parts) < 2 {
		return "", "", false
	}
	return parts[0], parts[1], true
}
