// Package evidence takes orders and logs what they are.
package evidence

import (
	"context"
	"encoding/json"
	"log/slog"
)

// An Order is what a customer wants.
type Order struct {
	ID    int
	Items []string
	Notes map[string]string
}

// Take takes an order and returns how many items it has.
func Take(ctx context.Context, l *slog.Logger, o Order) int {
	if l.Enabled(ctx, slog.LevelDebug) {
		text, _ := json.Marshal(o)
		l.DebugContext(ctx, "order", "id", o.ID, "order", string(text))
	}
	return len(o.Items)
}
