package a

import (
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"strconv"
)

type server struct{ log *slog.Logger }

func (s *server) handle(ctx context.Context, id int) {
	s.log.DebugContext(ctx, "request", "id", id, "stack", string(debug.Stack())) // want `debug.Stack captures the stack before the logger knows that debug lines are off`
}

func global() {
	slog.Debug("request", slog.Any("stack", debug.Stack())) // want `debug.Stack captures`
}

func attrs(l *slog.Logger, r *http.Request) {
	l.LogAttrs(r.Context(), slog.LevelDebug, "request", slog.String("stack", string(debug.Stack()))) // want `debug.Stack captures`
}

func caller(l *slog.Logger, n int) {
	_, file, line, ok := runtime.Caller(1) // want `runtime.Caller captures the stack`
	l.Debug("called", "file", file, "line", line, "ok", ok)
	println(n)
}

// An argument may panic, which the guard would hide: class B.
func field(l *slog.Logger, r *http.Request) {
	l.Debug("request", "method", r.Method, "stack", debug.Stack()) // want `debug.Stack captures`
}

// The argument has an effect, which the guard would lose: no fix.
func effect(l *slog.Logger, next func() int) {
	l.Debug("request", "n", next(), "stack", debug.Stack()) // want `debug.Stack captures`
}

// The logger is made for the line: no fix.
func made(l *slog.Logger) {
	l.With("stack", string(debug.Stack())).Debug("request") // want `debug.Stack captures`
}

// The capture stands elsewhere: no fix.
func before(l *slog.Logger, work func()) {
	stack := debug.Stack() // want `debug.Stack captures`
	work()
	l.Debug("request", "stack", stack)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.log.Info("request", "stack", string(debug.Stack())) // want `debug.Stack captures the stack for each of these lines, and ServeHTTP is reached from an HTTP handler`
	w.WriteHeader(http.StatusNoContent)
}

func all(l *slog.Logger, items []string) {
	for _, it := range items {
		l.Info(it, "stack", debug.Stack()) // want `debug.Stack captures the stack for each`
	}
}

func origin() string { return string(debug.Stack()) }

func heard(l *slog.Logger) {
	l.Debug("request", "from", origin()) // want `origin captures the stack before the logger knows that debug lines are off`
}

// What follows is left alone.

func guarded(ctx context.Context, l *slog.Logger) {
	if l.Enabled(ctx, slog.LevelDebug) {
		l.DebugContext(ctx, "request", "stack", debug.Stack())
	}
}

func left(ctx context.Context, l *slog.Logger) {
	if !l.Enabled(ctx, slog.LevelDebug) {
		return
	}
	l.DebugContext(ctx, "request", "stack", debug.Stack())
}

func switched(l *slog.Logger, verbose bool) {
	if verbose {
		l.Debug("request", "stack", debug.Stack())
	}
}

func recovered(l *slog.Logger, work func()) {
	defer func() {
		if r := recover(); r != nil {
			l.Debug("panic", "stack", debug.Stack())
		}
	}()
	work()
}

func failed(l *slog.Logger, s string) {
	if _, err := strconv.Atoi(s); err != nil {
		l.Debug("not a number", "stack", debug.Stack())
	}
}

func warned(l *slog.Logger) {
	l.Warn("odd", "stack", debug.Stack())
	l.Error("bad", "stack", debug.Stack())
	l.Log(context.Background(), slog.LevelWarn, "odd", "stack", debug.Stack())
}

func started(l *slog.Logger) { // once
	l.Info("start", "stack", debug.Stack())
}

type lazy struct{}

func (lazy) LogValue() slog.Value { return slog.StringValue(string(debug.Stack())) }

func valuer(l *slog.Logger) {
	l.Debug("request", "stack", lazy{})
}

func kept(l *slog.Logger) []byte { // needed anyway
	stack := debug.Stack()
	l.Debug("request", "stack", stack)
	return stack
}
