package evidence

import (
	"bytes"
	"testing"
)

func BenchmarkNames(b *testing.B) {
	list := bytes.TrimSuffix(bytes.Repeat([]byte("a name that is longer than some, "), 12), []byte(", "))
	b.ReportAllocs()
	for b.Loop() {
		if names := Names(list); len(names) != 12 || len(names[11]) != 31 {
			b.Fatal("wrong names")
		}
	}
}
