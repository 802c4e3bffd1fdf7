package a

import (
	"context"
	"log/slog"
	"time"
)

const size = "size"

type server struct{ log *slog.Logger }

type level string

func (s *server) serve(ctx context.Context, path string, n int, start time.Time, err error) {
	s.log.Debug("served", "path", path, size, n)                             // want `Debug boxes its values before the level is asked; LogAttrs takes them as they are`
	s.log.With("a", 1).InfoContext(ctx, "served", "took", time.Since(start)) // want `InfoContext boxes`
	func() {
		slog.Error("failed", "err", err, slog.Int("n", n), "at", start, "ok", n > 0) // want `Error boxes`
	}()
	slog.WarnContext(ctx, "slow", "level", level(path), "path", path) // want `WarnContext boxes`
}

func generic[T any](log *slog.Logger, v T, n uint64) {
	log.Info("value", "v", v, "n", n) // want `Info boxes`
}

// What follows is left alone.

type own struct{}

func (own) Info(msg string, args ...any) {}

func alone(ctx context.Context, log *slog.Logger, o own, s string, n int, err error, p *int, args []any) {
	slog.Info("constant", "n", 1, "s", "text")
	slog.Info("pointers", "p", p, "err", err)
	slog.Info("an attribute", slog.Int("n", n))
	slog.Info("a key", s, n)
	slog.Info("no key", n)
	slog.Info("one too many", "n", n, "m")
	slog.Info("more", args...)
	slog.Log(ctx, slog.LevelInfo, "another", "n", n)
	o.Info("own", "n", n)
	log.With("n", n)
	slog.Info("bool", "ok", n > 0)
}
