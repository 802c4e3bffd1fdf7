package evidence

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkTotal(b *testing.B) {
	dir := b.TempDir()
	names := make([]string, 200)
	for i := range names {
		names[i] = filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(names[i], make([]byte, 1024), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	var buf bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		var n int64
		buf.Reset()
		if err := Total(&buf, names, &n); err != nil {
			b.Fatal(err)
		}
	}
}
