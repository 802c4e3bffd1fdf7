package evidence

import "testing"

func BenchmarkEnrich(b *testing.B) {
	rows := make([]Row, 10_000)
	for i := range rows {
		rows[i].Value = uint64(i) * 7919
	}
	b.ReportAllocs()
	for b.Loop() {
		if out := Enrich(rows); len(out) != len(rows) {
			b.Fatal("rows are missing")
		}
	}
}
