package b10

import (
	"net/http"
	"runtime"
)

// V1 two functions, missed
func cores() int {
	if n := runtime.NumCPU(); n > 2 {
		return n
	}
	return 2
}

func Main(mux *http.ServeMux) error {
	runtime.GOMAXPROCS(cores())
	return http.ListenAndServe(":8080", mux)
}

// V2 method, variable
type service struct {
	addr string
	mux  *http.ServeMux
}

func (s *service) Run() error {
	workers := max(2, runtime.NumCPU()-1)
	runtime.GOMAXPROCS(workers)
	return http.ListenAndServe(s.addr, s.mux)
}
