package c57

import (
	"log"
	"net/http"
	"runtime"
)

// V3 closure

func traced(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		dump := make([]byte, 16<<10)
		dump = dump[:runtime.Stack(dump, true)]
		log.Printf("%s %s\n%s", r.Method, r.URL.Path, dump)
		next(w, r)
	}
}
