package evidence

import "testing"

func BenchmarkCommand(b *testing.B) {
	args := []string{"-trimpath", "-o", "out", "-p", "main", "main.go"}
	b.ReportAllocs()
	for b.Loop() {
		if c := New("/usr/bin/go", "compile", args); len(c.Args) != 8 {
			b.Fatal("not all arguments")
		}
	}
}
