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

// live is what a service keeps; a collection has to mark it.
var live [][]*int

func BenchmarkHandle(b *testing.B) {
	live = nil
	for range 1000 {
		row := make([]*int, 100)
		for i := range row {
			row[i] = new(int)
		}
		live = append(live, row)
	}
	r := &http.Request{URL: &url.URL{Path: "/x"}}
	w := discard{}
	b.ReportAllocs()
	for b.Loop() {
		Handle(w, r)
	}
}
