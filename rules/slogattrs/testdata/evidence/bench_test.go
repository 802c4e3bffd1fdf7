package evidence

import (
	"io"
	"log/slog"
	"testing"
)

func BenchmarkServed(b *testing.B) {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	b.ReportAllocs()
	for b.Loop() {
		Served(b.Context(), log, "/index.html", 404, 123456)
	}
}
