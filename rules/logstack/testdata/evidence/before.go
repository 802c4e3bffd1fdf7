// Package evidence handles requests and logs where they came from.
package evidence

import (
	"context"
	"log/slog"
	"runtime/debug"
)

// Handle handles one request.
func Handle(ctx context.Context, l *slog.Logger, id int) int {
	l.DebugContext(ctx, "request", "id", id, "stack", string(debug.Stack()))
	return id + 1
}
