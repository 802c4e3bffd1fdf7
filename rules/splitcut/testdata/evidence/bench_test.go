package evidence

import "testing"

func BenchmarkRoute(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, _, ok := Route("orders/v2/tenants/4711/items/12"); !ok {
			b.Fatal("no route")
		}
	}
}
