package evidence

import (
	"reflect"
	"testing"
)

func BenchmarkFlat(b *testing.B) {
	v := reflect.ValueOf(map[string]any{
		"name": "a", "size": 1, "mode": 2, "tags": map[string]int{"one": 1, "two": 2, "three": 3}, "owner": map[string]any{"id": 4, "group": 5},
	})
	b.ReportAllocs()
	for b.Loop() {
		if _, sum := Flat(v); sum != 18 {
			b.Fatal(sum)
		}
	}
}
