package evidence

import "testing"

var value int

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	root := New(nil)
	root.Define("x", 1)
	for b.Loop() {
		value = New(New(New(root))).Lookup("x")
	}
}
