package evidence

import "testing"

var text string

func BenchmarkEscape(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		text = Attribute("title", `Bread & butter, <fresh> & "good" for < 3 days`)
	}
}
