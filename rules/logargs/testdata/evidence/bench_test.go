package evidence

import (
	"io"
	"log/slog"
	"testing"
)

func BenchmarkTake(b *testing.B) {
	l := slog.New(slog.NewJSONHandler(io.Discard, nil)) // at level info
	o := Order{ID: 1, Items: []string{"apple", "pear", "plum"}, Notes: map[string]string{"wrap": "yes", "card": "no"}}
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if Take(ctx, l, o) != 3 {
			b.Fatal("not taken")
		}
	}
}
