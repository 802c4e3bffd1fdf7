package evidence

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkCommands(b *testing.B) {
	dir := b.TempDir()
	for i := range 1280 {
		name := fmt.Sprintf("other%04d", i)
		if i%5 == 0 {
			name = fmt.Sprintf("tool-%04d", i)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o700); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		names, err := Commands(dir, "tool-")
		if err != nil || len(names) != 256 {
			b.Fatal(len(names), err)
		}
	}
}
