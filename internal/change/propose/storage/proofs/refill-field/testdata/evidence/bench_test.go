package evidence

import (
	"strings"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	var p Parser
	text := strings.Repeat("list(", 20) + "of,some,names" + strings.Repeat(")", 20)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := p.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}
