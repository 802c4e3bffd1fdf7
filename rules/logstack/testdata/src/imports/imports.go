package imports

import (
	"log/slog"
	"runtime/debug"
)

func imports(l *slog.Logger) {
	l.Debug("request", "stack", debug.Stack()) // want `debug.Stack captures`
}
