package evidence

import (
	"strings"
	"testing"
)

func BenchmarkRender(b *testing.B) {
	words, values := []string{"a"}, map[string]string{"a": ""}
	var text strings.Builder
	b.ReportAllocs()
	for b.Loop() {
		Render(&text, words, values)
	}
}
