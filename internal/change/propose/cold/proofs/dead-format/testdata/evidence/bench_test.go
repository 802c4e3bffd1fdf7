package evidence

import "testing"

func BenchmarkTotal(b *testing.B) {
	lines := make([]Line, 500)
	for i := range lines {
		lines[i] = Line{Amount: 1, Price: 2}
	}
	b.ReportAllocs()
	for b.Loop() {
		if n, err := Total(lines); n != 1000 || err != nil {
			b.Fatal(n, err)
		}
	}
}
