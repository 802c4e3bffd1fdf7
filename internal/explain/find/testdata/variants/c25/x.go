package c25

import (
	"context"
	"log/slog"
	"runtime/debug"
)

// V1 renamed
func step(lg *slog.Logger, n int) { lg.Debug("step", "n", n, "trace", string(debug.Stack())) }

// V2 method
type svc struct{ log *slog.Logger }

func (s *svc) do() { s.log.DebugContext(context.Background(), "do", "st", debug.Stack()) }

// V3 closure
func hook(l *slog.Logger) func() {
	return func() { l.Debug("hook", slog.String("stack", string(debug.Stack()))) }
}

// V4 generic
func note[T any](l *slog.Logger, v T) T {
	st := string(debug.Stack())
	l.Debug("note", "v", v, "at", st)
	return v
}

// V5 two functions
func where() string        { return string(debug.Stack()) }
func logit(l *slog.Logger) { l.Debug("x", "where", where()) }
