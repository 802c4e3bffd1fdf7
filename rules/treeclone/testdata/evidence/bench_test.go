package evidence

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A workspace of 32 files of 4 KiB.
func BenchmarkRun(b *testing.B) {
	workspace, scratch := b.TempDir(), b.TempDir()
	for i := range 32 {
		if err := os.WriteFile(filepath.Join(workspace, fmt.Sprint(i)), make([]byte, 4096), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	i := 0
	for b.Loop() {
		i++
		dir := filepath.Join(scratch, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		if _, err := Run(workspace, dir, []string{"x", "y"}); err != nil {
			b.Fatal(err)
		}
		if err := os.RemoveAll(dir); err != nil {
			b.Fatal(err)
		}
	}
}
