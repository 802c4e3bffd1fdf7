package evidence

import (
	"bytes"
	"encoding/json"
	"testing"
)

func BenchmarkFrame(b *testing.B) {
	payload, err := json.Marshal(Event{12, "update", "accounts", []string{"42"}, map[string]any{"amount": "10.00", "name": "Cash"}})
	if err != nil {
		b.Fatal(err)
	}
	var w bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		w.Reset()
		if err := Frame(&w, payload); err != nil {
			b.Fatal(err)
		}
	}
}
