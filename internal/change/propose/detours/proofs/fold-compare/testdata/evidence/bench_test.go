package evidence

import "testing"

var kind string

func BenchmarkScheme(b *testing.B) {
	links := []string{"https://Example.org/Index.html", "Mailto:Someone@example.org", "/About/Us?Lang=en"}
	b.ReportAllocs()
	for b.Loop() {
		for _, link := range links {
			kind = Kind(link)
		}
	}
}
