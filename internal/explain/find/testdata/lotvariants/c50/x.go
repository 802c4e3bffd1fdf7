package x

import (
	"net/http"
	"runtime"
)

// V5 across two functions
func upload(w http.ResponseWriter, r *http.Request) {
	buf := make([]byte, r.ContentLength)
	r.Body.Read(buf)
	tidy()
}
func tidy() { runtime.GC() }
func init() { http.HandleFunc("/upload", upload) }
