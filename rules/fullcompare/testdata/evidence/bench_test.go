package evidence

import (
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkSame(b *testing.B) {
	b.ReportAllocs()
	x, y := filepath.Join(b.TempDir(), "x"), filepath.Join(b.TempDir(), "y")
	if err := os.WriteFile(x, make([]byte, 1<<20), 0o600); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(y, make([]byte, 1<<20+1), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if same, err := Same(x, y); same || err != nil {
			b.Fatal(same, err)
		}
	}
}
