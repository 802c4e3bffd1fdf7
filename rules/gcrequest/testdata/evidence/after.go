// Package evidence answers requests from memory.
package evidence

import (
	"net/http"
)

// Handle writes a greeting.
func Handle(w http.ResponseWriter, r *http.Request) {
	name := []byte("hello " + r.URL.Path)
	_, _ = w.Write(name)
}
