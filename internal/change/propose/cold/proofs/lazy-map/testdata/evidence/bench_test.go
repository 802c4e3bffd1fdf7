package evidence

import "testing"

var (
	scope *Scope
	value int
)

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	root := New(nil)
	root.Define("x", 1)
	for b.Loop() {
		scope = New(root)
		value = scope.Lookup("x")
	}
}
