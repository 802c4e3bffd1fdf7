package evidence

import (
	"net/http"
	"testing"
)

func BenchmarkTrace(b *testing.B) {
	r := &http.Request{Header: http.Header{"X-Request-Id": {"1"}, "X-Forwarded-Host": {"example.com"}}}
	b.ReportAllocs()
	for b.Loop() {
		if id, host := Trace(r); id != "1" || host != "example.com" {
			b.Fatal(id, host)
		}
	}
}
