package x

import (
	"encoding/json"
	"log/slog"
)

// V4 in generic code
func store[T any](items []T, put func(T)) {
	for _, it := range items {
		put(it)
	}
	b, _ := json.Marshal(items)
	slog.Debug("stored", "items", string(b))
}
