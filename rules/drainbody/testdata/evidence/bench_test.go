package evidence

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func BenchmarkPing(b *testing.B) {
	page := make([]byte, 2<<10)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(page) }))
	defer srv.Close()
	client := srv.Client()
	b.ReportAllocs()
	for b.Loop() {
		if err := Ping(client, srv.URL); err != nil {
			b.Fatal(err)
		}
	}
}
