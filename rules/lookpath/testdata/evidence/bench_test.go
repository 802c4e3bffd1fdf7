package evidence

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A batch of 256 commands of 16 kinds, the last of 20 directories has them.
func BenchmarkMissing(b *testing.B) {
	var dirs []string
	for range 20 {
		dirs = append(dirs, b.TempDir())
	}
	var names []string
	for i := range 16 {
		name := fmt.Sprintf("tool-%02d", i)
		if err := os.WriteFile(filepath.Join(dirs[19], name), nil, 0o700); err != nil {
			b.Fatal(err)
		}
		names = append(names, name)
	}
	for range 4 {
		names = append(names, names...)
	}
	b.Setenv("PATH", strings.Join(dirs, string(os.PathListSeparator)))
	b.ReportAllocs()
	for b.Loop() {
		if missing := Missing(names); len(missing) > 0 {
			b.Fatal(missing)
		}
	}
}
