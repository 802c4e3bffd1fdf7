package evidence

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
)

type discard struct{}

func (discard) Header() http.Header         { return nil }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

func BenchmarkHandle(b *testing.B) {
	h := &Handler{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))}
	r := httptest.NewRequest("GET", "/items/17?sort=name&page=3", nil)
	for _, name := range []string{"Accept", "Accept-Encoding", "Accept-Language", "Cookie", "User-Agent"} {
		r.Header.Set(name, "some text that browsers send")
	}
	b.ReportAllocs()
	for b.Loop() {
		h.ServeHTTP(discard{}, r)
	}
}
