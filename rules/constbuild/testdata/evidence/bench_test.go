package evidence

import "testing"

func BenchmarkEscape(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if Escape("a < b && b > c") != "a &lt; b &amp;&amp; b &gt; c" {
			b.Fatal("not escaped")
		}
	}
}
