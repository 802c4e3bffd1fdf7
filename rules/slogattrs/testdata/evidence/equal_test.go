package equal

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestServed(t *testing.T) {
	written := func(level slog.Level, serve func(context.Context, *slog.Logger, string, int, int), path string, n int) string {
		var b bytes.Buffer
		noTime := func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}
		serve(t.Context(), slog.New(slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: level, ReplaceAttr: noTime})), path, n, -n)
		return b.String()
	}
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo} {
		for _, path := range []string{"", "/", "a \"quote\""} {
			if b, a := written(level, before.Served, path, 500), written(level, after.Served, path, 500); a != b {
				t.Errorf("%s %q: %q, then %q", level, path, b, a)
			}
		}
	}
}
