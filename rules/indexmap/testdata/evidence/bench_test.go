package evidence

import (
	"fmt"
	"testing"
)

func BenchmarkPick(b *testing.B) {
	header := make([]string, 20)
	for i := range header {
		header[i] = fmt.Sprintf("column_%02d", i)
	}
	b.ReportAllocs()
	for b.Loop() {
		if x, y, ok := Pick(header, "column_03", "column_19"); !ok || x != 3 || y != 19 {
			b.Fatal(x, y, ok)
		}
	}
}
