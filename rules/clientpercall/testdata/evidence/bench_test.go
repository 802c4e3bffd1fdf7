package evidence

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func BenchmarkStatus(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(`{"ok":true}`)) }))
	defer srv.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Status(srv.URL); err != nil {
			b.Fatal(err)
		}
	}
}
