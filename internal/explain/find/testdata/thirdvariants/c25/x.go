package c25

import (
	"log/slog"
	"runtime/debug"
)

// V2 method
type tracer struct{ log *slog.Logger }

func (t *tracer) enter(op string) {
	t.log.Debug(op, "stack", string(debug.Stack()))
}
