package c33

import (
	"context"
	"net/http"
)

// V1 generic code

type limits struct {
	MaxBody    int64
	MaxRows    int
	Allowed    [64]string
	Quotas     map[string]int64
	Thresholds [32]float64
}

type contextKey[T any] struct{}

func attach[T any](ctx context.Context, value T) context.Context {
	return context.WithValue(ctx, contextKey[T]{}, value)
}

func detach[T any](ctx context.Context) (T, bool) {
	v, ok := ctx.Value(contextKey[T]{}).(T)
	return v, ok
}

func withLimits(l limits, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(attach(r.Context(), l)))
	})
}

func maxRows(ctx context.Context) int {
	l, ok := detach[limits](ctx)
	if !ok {
		return 100
	}
	return l.MaxRows
}
