package c24

import (
	"encoding/json"
	"log/slog"
)

// V3 closure
type order struct{ lines []string }

func dump(o order) string { b, _ := json.Marshal(o); return string(b) }

func handlerFor(l *slog.Logger) func(order) {
	return func(o order) {
		l.Debug("order received", slog.String("order", dump(o)))
	}
}
