// Package main serves nothing: how much of the machine it takes is its affair.
package main

import (
	"net/http"
	"runtime"
)

func main() {
	runtime.GOMAXPROCS(4)
	http.Get("http://localhost")
}
