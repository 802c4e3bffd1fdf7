package evidence

import "testing"

func BenchmarkSum(b *testing.B) {
	b.ReportAllocs()
	var record []byte
	for range 100 {
		record = Append(record, 12345678)
	}
	for b.Loop() {
		if Sum(record) != 1234567800 {
			b.Fatal("wrong sum")
		}
	}
}
