package evidence

import (
	"io"
	"log/slog"
	"testing"
)

func BenchmarkHandle(b *testing.B) {
	l := slog.New(slog.NewJSONHandler(io.Discard, nil)) // at level info
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if Handle(ctx, l, 1) != 2 {
			b.Fatal("not handled")
		}
	}
}
