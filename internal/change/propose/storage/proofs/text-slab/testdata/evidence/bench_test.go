package evidence

import (
	"fmt"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	var data []byte
	for i := range 32 {
		data = fmt.Appendf(data, "header-%d=some value %d;", i, i*i)
	}
	b.ReportAllocs()
	for b.Loop() {
		if fields := Parse(data); fields[31].Name != "header-31" {
			b.Fatal("wrong name")
		}
	}
}
