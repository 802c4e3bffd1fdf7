package evidence

import "testing"

func BenchmarkHide(b *testing.B) {
	b.ReportAllocs()
	lines := []string{"GET /index.html 200 1270", "POST /login user=me@home.example 302 0", "GET /favicon.ico 404 9", "GET /style.css 304 0"}
	for b.Loop() {
		for _, line := range lines {
			Hide(line)
		}
	}
}
