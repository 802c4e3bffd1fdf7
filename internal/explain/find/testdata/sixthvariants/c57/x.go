package c57

import (
	"io"
	"net/http"
	"runtime"
	"runtime/pprof"
)

// V1 other call, method, missed
type site struct{ title string }

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, s.title)
	_ = pprof.Lookup("goroutine").WriteTo(w, 2)
}

// V2 two functions
func snapshot(buf []byte) []byte {
	return buf[:runtime.Stack(buf, true)]
}

func RunAll(w io.Writer, jobs []func()) error {
	buf := make([]byte, 1<<16)
	for _, job := range jobs {
		job()
		if _, err := w.Write(snapshot(buf)); err != nil {
			return err
		}
	}
	return nil
}
