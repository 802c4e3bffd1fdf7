package evidence

import "testing"

func BenchmarkCheck(b *testing.B) {
	b.ReportAllocs()
	at := Position{"main.go", 3, 1}
	for b.Loop() {
		if err := Check(at, "identifier"); err != nil {
			b.Fatal(err)
		}
	}
}
