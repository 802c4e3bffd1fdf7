package evidence

import (
	"fmt"
	"path/filepath"
	"testing"
)

func BenchmarkSave(b *testing.B) {
	lines := make([]string, 1000)
	for i := range lines {
		lines[i] = fmt.Sprintf("2026-01-02 order %06d shipped", i)
	}
	file := filepath.Join(b.TempDir(), "lines")
	b.ReportAllocs()
	for b.Loop() {
		if err := Save(file, lines); err != nil {
			b.Fatal(err)
		}
	}
}
