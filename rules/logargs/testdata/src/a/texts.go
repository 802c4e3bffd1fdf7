package a

import (
	"encoding/json"
	"log/slog"
)

func shown(o *order) string {
	text, err := json.MarshalIndent(o, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func traces(l *slog.Logger, o *order) {
	l.Debug("order", "order", shown(o)) // want `shown is computed before the logger knows that debug lines are off`
}

// What follows is left alone.

type sink interface{ Take(o *order) string }

func taken(s sink, o *order) string {
	for range o.weights() {
		return s.Take(o)
	}
	return ""
}

func (o *order) weights() []int { return nil }

func takes(l *slog.Logger, s sink, o *order) {
	l.Debug("order", "order", taken(s, o))
}

func dumpOrder(l *slog.Logger, o *order) {
	l.Debug("order", "order", shown(o))
}
