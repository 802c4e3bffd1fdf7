package evidence

import "testing"

func BenchmarkEmit(b *testing.B) {
	p := &Processor{&Sum{}}
	r := &Record{Name: "name", Values: [8]int{1, 2, 3}}
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Emit(r); err != nil {
			b.Fatal(err)
		}
	}
}
