package c57

import (
	"net/http"
	"runtime"
)

// V1 names
type gateway struct {
	trace []byte
	next  http.Handler
}

func (g *gateway) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	dump := make([]byte, 1<<20)
	dump = dump[:runtime.Stack(dump, true)]
	g.trace = dump
	g.next.ServeHTTP(rw, req)
}
