package c57

import (
	"log"
	"log/slog"
	"net/http"
	"runtime"
)

// V1 renamed
func onReq(w http.ResponseWriter, req *http.Request) {
	dump := make([]byte, 1<<16)
	k := runtime.Stack(dump, true)
	slog.Debug("all", "stacks", string(dump[:k]))
}

// V2 method
type dbg struct{ buf []byte }

func (d *dbg) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := runtime.Stack(d.buf, true)
	w.Write(d.buf[:n])
}

// V3 closure
func trace(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b := make([]byte, 1<<20)
		b = b[:runtime.Stack(b, true)]
		log.Printf("%s", b)
		next(w, r)
	}
}

// V4 generic, missed
func Handled[T any](xs []T, f func(T) error) {
	buf := make([]byte, 1<<20)
	for _, x := range xs {
		if f(x) == nil {
			n := runtime.Stack(buf, true)
			log.Printf("%s", buf[:n])
		}
	}
}

// V5 two functions, missed
func stacks() string {
	b := make([]byte, 1<<20)
	return string(b[:runtime.Stack(b, true)])
}
func home(w http.ResponseWriter, r *http.Request) { log.Print(stacks()) }
