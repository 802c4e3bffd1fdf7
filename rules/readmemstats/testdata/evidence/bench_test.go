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
	r := &http.Request{URL: &url.URL{Path: "/x"}}
	w := discard{}
	b.ReportAllocs()
	for b.Loop() {
		if Handle(w, r) == 0 {
			b.Fatal("no heap")
		}
	}
}
