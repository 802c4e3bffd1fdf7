package evidence

import "testing"

func BenchmarkAppend(b *testing.B) {
	dir := b.TempDir()
	records := make([][]byte, 100)
	for i := range records {
		records[i] = []byte{'x'}
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := Append(dir, "deep/nested/tree/path/file.txt", records); err != nil {
			b.Fatal(err)
		}
	}
}
