package evidence

import (
	"fmt"
	"testing"
)

func BenchmarkDocument(b *testing.B) {
	paths := map[string]any{}
	for i := range 60 {
		operations := map[string]any{}
		for _, m := range []string{"get", "post", "patch", "delete"} {
			operations[m] = map[string]any{
				"operationId": fmt.Sprintf("%s%d", m, i), "summary": "What is done to the resource", "tags": []any{"resource"},
				"responses": map[string]any{"200": map[string]any{"description": "OK"}, "404": map[string]any{"description": "Not found"}},
			}
		}
		paths[fmt.Sprintf("/resources/%03d/{id}", i)] = operations
	}
	doc := From(map[string]any{"openapi": "3.1.0", "info": map[string]any{"title": "x", "version": "1"}, "paths": paths})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Encode(doc); err != nil {
			b.Fatal(err)
		}
	}
}
