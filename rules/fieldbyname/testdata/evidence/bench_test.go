package evidence

import "testing"

func BenchmarkField(b *testing.B) {
	b.ReportAllocs()
	r := Row{ID: 1000, Name: "ada"}
	for b.Loop() {
		if v, ok := Field(r, "Name"); !ok || v.(string) != "ada" {
			b.Fatal(v, ok)
		}
	}
}
