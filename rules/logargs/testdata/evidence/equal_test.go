package equal

import (
	"bytes"
	"log/slog"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// FuzzTake compares what is returned and logged at each level.
func FuzzTake(f *testing.F) {
	f.Add(0, "", "", "")
	f.Add(1, "apple", "wrap", "yes")
	f.Add(-1, "\x00\xff<&>", "\n", "\u2028")
	f.Fuzz(func(t *testing.T, id int, item, key, value string) {
		for _, level := range []slog.Level{slog.LevelDebug - 1, slog.LevelDebug, slog.LevelDebug + 1, slog.LevelInfo} {
			var logs [2]bytes.Buffer
			logger := func(i int) *slog.Logger {
				return slog.New(slog.NewTextHandler(&logs[i], &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				}}))
			}
			notes := map[string]string{key: value, "k": item}
			n1 := before.Take(t.Context(), logger(0), before.Order{ID: id, Items: []string{item, key}, Notes: notes})
			n2 := after.Take(t.Context(), logger(1), after.Order{ID: id, Items: []string{item, key}, Notes: notes})
			if n1 != n2 || logs[0].String() != logs[1].String() {
				t.Errorf("level %v: %d and %q, then %d and %q", level, n1, logs[0].String(), n2, logs[1].String())
			}
			if (logs[0].Len() > 0) != (level <= slog.LevelDebug) {
				t.Errorf("level %v: %q", level, logs[0].String())
			}
		}
	})
}
