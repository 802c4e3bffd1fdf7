// Package evidence reads headers.
package evidence

import "net/http"

// Trace returns what names a request, and the host that it was for.
func Trace(r *http.Request) (id, host string) {
	return r.Header.Get("X-Request-Id"), r.Header.Get("X-Forwarded-Host")
}
