package evidence

import (
	"net/http"
	"net/url"
	"testing"
)

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

func BenchmarkHandle(b *testing.B) {
	stop := make(chan bool)
	defer close(stop)
	for range 100 { // what else a service does
		go func() { <-stop }()
	}
	s := new(Server)
	r := &http.Request{URL: &url.URL{Path: "/x"}}
	w := discard{}
	b.ReportAllocs()
	for b.Loop() {
		s.ServeHTTP(w, r)
	}
}
