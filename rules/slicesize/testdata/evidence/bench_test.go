package evidence

import "testing"

func BenchmarkTotals(b *testing.B) {
	orders := make([]Order, 10_000)
	for i := range orders {
		orders[i] = Order{ID: i, Cents: int64(i * 7), Count: int64(i % 5)}
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(Totals(orders)) != len(orders) {
			b.Fatal("totals are missing")
		}
	}
}
