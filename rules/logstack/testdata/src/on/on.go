package on

import (
	"log/slog"
	"os"
	"runtime/debug"
)

var logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))

// always logs, since the level is what it is.
func always() { logger.Debug("here", "stack", string(debug.Stack())) }
