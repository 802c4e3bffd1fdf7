// Package evidence logs requests.
package evidence

import (
	"context"
	"log/slog"
)

// Served logs that a request was served.
func Served(ctx context.Context, log *slog.Logger, path string, status, size int) {
	log.DebugContext(ctx, "served", "path", path, "status", status, "size", size)
}
