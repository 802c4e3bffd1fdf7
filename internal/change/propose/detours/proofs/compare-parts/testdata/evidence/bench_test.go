package evidence

import "testing"

var found int

func BenchmarkWithin(b *testing.B) {
	names := []string{
		"example.org/service/internal/storage.Read", "example.org/service/internal/storage.Write",
		"example.org/service/internal/storagetest.New", "example.org/service/internal/server.Serve",
	}
	b.ReportAllocs()
	for b.Loop() {
		found = Below(names, "example.org/service/internal/storage")
	}
}
