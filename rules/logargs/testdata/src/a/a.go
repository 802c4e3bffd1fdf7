package a

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"
)

type order struct {
	ID    int
	Items []string
	At    time.Time
}

// Proven: nothing of the program runs when these are formatted.

func sprintf(ctx context.Context, l *slog.Logger, o order) {
	l.DebugContext(ctx, "order", "order", fmt.Sprintf("%+v", o)) // want `fmt.Sprintf is computed before the logger knows that debug lines are off`
}

func marshal(o *order) int {
	b, _ := json.Marshal(o) // want `json.Marshal is computed`
	slog.Debug("order", "order", string(b))
	return 1
}

func message(l *slog.Logger, n int) {
	l.Debug(fmt.Sprintf("%d orders", n)) // want `fmt.Sprintf is computed`
}

// A field behind a pointer may panic, which the guard would hide: class B.
func pointer(l *slog.Logger, o *order) {
	l.Debug("order", "items", strings.Join(o.Items, ",")) // want `strings.Join is computed`
}

type weight struct{ grams int }

func (w weight) String() string { return "heavy" }

// A String of the program runs: class B.
func named(l *slog.Logger, w map[string]weight) {
	l.Debug("order", "text", fmt.Sprintf("got %v", w)) // want `fmt.Sprintf is computed`
}

// An Error of the program runs: class B.
func method(l *slog.Logger, err error) {
	l.Debug("order", "text", fmt.Sprintf("got %v", err)) // want `fmt.Sprintf is computed`
}

// summarize is expensive and only reads: class B.
func summarize(o *order) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, it := range o.Items {
		if !seen[it] {
			seen[it] = true
			b.WriteString(it)
		}
	}
	return b.String()
}

func (o *order) describe() string { return fmt.Sprintf("order %d of %v", o.ID, o.At) }

func seed(logger *slog.Logger, obj *order) {
	logger.Debug("request", "summary", summarize(obj)) // want `summarize is computed`
	logger.Debug("request", "order", obj.describe())   // want `obj.describe is computed`
}

// An argument has an effect: no fix.
func effect(l *slog.Logger, next func() int, o order) {
	l.Debug("order", "n", next(), "order", fmt.Sprintf("%v", o)) // want `fmt.Sprintf is computed`
}

// What is logged may have changed: no fix.
func between(l *slog.Logger, o order, work func()) {
	text := fmt.Sprintf("%v", o) // want `fmt.Sprintf is computed`
	work()
	l.Debug("order", "order", text)
}

// What follows is left alone.

func cheap(l *slog.Logger, o *order, u *url.URL) {
	l.Debug("order", "id", o.ID, "items", len(o.Items), "url", u, "ids", []int{o.ID}, "age", int64(o.ID))
}

type lazy struct{ o *order }

func (l lazy) LogValue() slog.Value { return slog.StringValue(summarize(l.o)) }

func valuer(l *slog.Logger, o *order) {
	l.Debug("order", "summary", lazy{o})
}

func enabled(ctx context.Context, l *slog.Logger, o *order) {
	if l.Enabled(ctx, slog.LevelDebug) {
		l.DebugContext(ctx, "order", "summary", summarize(o))
	}
	if !l.Enabled(ctx, slog.LevelDebug) {
		return
	}
	l.Debug("order", "order", fmt.Sprintf("%v", o))
}

type config struct{ Verbose bool }

func switched(l *slog.Logger, c config, o order) {
	if c.Verbose {
		l.Debug("order", "order", fmt.Sprintf("%v", o))
	}
}

func info(l *slog.Logger, o *order) {
	l.Info("order", "summary", summarize(o))
	l.Log(context.Background(), slog.LevelInfo, "order", "summary", summarize(o))
}

func failed(l *slog.Logger, o order, err error) {
	switch {
	case errors.Is(err, context.Canceled):
		l.Debug("order", "order", fmt.Sprintf("%v", o))
	case err != nil:
		l.Debug("order", "order", fmt.Sprintf("%v", o))
	}
}

type queue struct{ orders []order }

// pop is needed for more than its result.
func (q *queue) pop() (ids []int) {
	for _, o := range q.orders {
		ids = append(ids, o.ID)
	}
	q.orders = nil
	return ids
}

func drop(l *slog.Logger, q *queue) {
	l.Debug("dropped", "orders", q.pop())
}

func needed(l *slog.Logger, o order) (string, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return "", err
	}
	l.Debug("order", "order", string(b))
	return "", nil
}

func constant(l *slog.Logger) {
	l.Debug(fmt.Sprint("a", "b"))
}

func (o *order) name() string { return o.Items[0] }

func getter(l *slog.Logger, o *order) {
	l.Debug("order", "name", o.name())
}
