package evidence

import (
	"bytes"
	"strings"
	"testing"
)

func BenchmarkTable(b *testing.B) {
	names := strings.Fields(strings.Repeat("first second third ", 30))
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		Table(&out, names)
	}
}
