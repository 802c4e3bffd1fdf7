package evidence

import "testing"

var last *Command

func BenchmarkCommand(b *testing.B) {
	args := []string{"-trimpath", "-o", "out", "-p", "main", "main.go"}
	b.ReportAllocs()
	for b.Loop() {
		if last = New("/usr/bin/go", "compile", args); len(last.Args) != 8 {
			b.Fatal("not all arguments")
		}
	}
}
