package evidence

import (
	"strconv"
	"testing"
)

func BenchmarkList(b *testing.B) {
	var attrs []Attr
	for i := range 50 {
		attrs = append(attrs, Attr{"attribute" + strconv.Itoa(i), "the value of it"})
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(List(attrs)) < 1000 {
			b.Fatal("too short")
		}
	}
}
