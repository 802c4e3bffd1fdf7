package evidence

import "testing"

func BenchmarkRows(b *testing.B) {
	b.ReportAllocs()
	rows := make([]map[string]any, 100)
	for i := range rows {
		rows[i] = map[string]any{"ID": i, "Owner": "ada", "Open": true}
	}
	for b.Loop() {
		if got := Map(rows); got[99].ID != 99 || !got[0].Open {
			b.Fatal(got[99])
		}
	}
}
