package evidence

import "testing"

var language string

func BenchmarkLanguage(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		language = Language("runtime.mallocgc")
		language = Language("app/main.py")
	}
}
