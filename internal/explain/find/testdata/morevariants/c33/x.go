package c33

import (
	"context"
	"net/http"
)

type settings struct {
	table [512]int
	names []string
}
type ctxKey struct{}

var key ctxKey

// V1 renamed
func withSettings(parent context.Context, st settings) context.Context {
	return context.WithValue(parent, key, st)
}

// V2 method
type mw struct{ conf settings }

func (m *mw) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key, m.conf)))
	})
}

// V3 closure
func injector(st settings) func(context.Context) context.Context {
	return func(ctx context.Context) context.Context { return context.WithValue(ctx, key, st) }
}

// V4 generic
type box[T any] struct {
	arr [256]int
	v   T
}

func With[T any](ctx context.Context, b box[T]) context.Context {
	return context.WithValue(ctx, key, b)
}

// V5 two functions
func attach(ctx context.Context, v any) context.Context        { return context.WithValue(ctx, key, v) }
func prepare(ctx context.Context, st settings) context.Context { return attach(ctx, st) }
