package a

import (
	"log"
	"net/http"
	"runtime"
)

func traced(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b := make([]byte, 1<<16)
		b = b[:runtime.Stack(b, true)] // want `stops the world`
		log.Printf("%s", b)
		next(w, r)
	}
}

// What follows is left alone.

func debugged(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b := make([]byte, 1<<16)
		b = b[:runtime.Stack(b, true)]
		log.Printf("%s", b)
		next(w, r)
	}
}
