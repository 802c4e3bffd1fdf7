package evidence

import (
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkLoad(b *testing.B) {
	path := filepath.Join(b.TempDir(), "deep", "nested", "tree", "path", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"a":1}`), 0o600); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if data, err := Load(path); err != nil || len(data) == 0 {
			b.Fatal(err)
		}
	}
}
