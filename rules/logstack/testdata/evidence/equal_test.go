package equal

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// What differs by nature: the addresses, and the package's name and lines.
var own = regexp.MustCompile(`0x[0-9a-f]+|\+0x[0-9a-f]+|before|after|\.go:\d+`)

// TestHandle compares what is returned and logged at each level.
func TestHandle(t *testing.T) {
	for _, level := range []slog.Level{slog.LevelDebug - 1, slog.LevelDebug, slog.LevelDebug + 1, slog.LevelInfo, slog.LevelError} {
		for _, id := range []int{0, 1, -7, 1 << 40} {
			var logs [2]string
			var results [2]int
			for i, handle := range []func(context.Context, *slog.Logger, int) int{before.Handle, after.Handle} {
				var buf bytes.Buffer
				l := slog.New(slog.NewTextHandler(&buf, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				}}))
				results[i] = handle(t.Context(), l, id)
				logs[i] = own.ReplaceAllString(buf.String(), "")
			}
			if logs[0] != logs[1] || results[0] != results[1] {
				t.Errorf("level %v, %d: %d and\n%s\nthen %d and\n%s", level, id, results[0], logs[0], results[1], logs[1])
			}
			if (logs[0] != "") != (level <= slog.LevelDebug) {
				t.Errorf("level %v: %q", level, logs[0])
			}
		}
	}
}
