package evidence

import "testing"

var samples = func() (all []Sample) {
	for i := range 24 {
		all = append(all, Sample{1700000000 + int64(i), 17.5 + float64(i)/8})
	}
	return all
}()

func BenchmarkMarshal(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if n := len(Marshal(samples)); n != 24*18 {
			b.Fatal(n)
		}
	}
}
