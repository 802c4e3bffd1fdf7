package evidence

import (
	"encoding/json"
	"fmt"
	"testing"
)

func BenchmarkPrimaryKey(b *testing.B) {
	var s Schema
	for i := range 80 {
		s.Fields = append(s.Fields, Field{fmt.Sprintf("field%03d", i), "string", "A column of the table, described", map[string]any{"required": true, "max": 40}})
	}
	s.PrimaryKey.Values = []string{"tenant", "id"}
	raw, err := json.Marshal(s)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if key, err := PrimaryKey(raw); err != nil || len(key) != 2 {
			b.Fatal(key, err)
		}
	}
}
