// Package evidence logs requests.
package evidence

import (
	"context"
	"log/slog"
)

// Served logs that a request was served.
func Served(ctx context.Context, log *slog.Logger, path string, status, size int) {
	log.LogAttrs(ctx, slog.LevelDebug, "served", slog.String("path", path), slog.Int("status", status), slog.Int("size", size))
}
