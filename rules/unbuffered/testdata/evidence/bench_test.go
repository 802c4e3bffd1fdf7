package evidence

import (
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkSave(b *testing.B) {
	lines := make([]string, 1000)
	for i := range lines {
		lines[i] = "Hello world"
	}
	f, err := os.Create(filepath.Join(b.TempDir(), "lines"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Seek(0, 0); err != nil {
			b.Fatal(err)
		}
		if err := WriteLines(f, lines); err != nil {
			b.Fatal(err)
		}
	}
}
