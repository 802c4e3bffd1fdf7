package a

import (
	"context"
	"net/http"
	"time"
)

type key int

type Config struct{ Name string }

type limits struct {
	names [8]string
	rate  float64
}

type user struct{ id int }

func serve(ctx context.Context, cfg Config, next func(context.Context)) {
	ctx = context.WithValue(ctx, key(0), cfg) // want `the context carries options, a Config: a parameter, or a field of a request type, is typed and costs nothing`
	next(ctx)
}

type server struct {
	options *Config
	limits  limits
}

func (s *server) wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), key(1), s.options) // want `options, a \*Config`
		ctx = context.WithValue(ctx, key(2), s.limits)           // want `a copy of a limits of 136 bytes`
		h.ServeHTTP(w, r.WithContext(ctx))
	})
}

func flags(ctx context.Context, set map[string]bool, names []string) context.Context {
	ctx = context.WithValue(ctx, key(3), set)    // want `a collection, a map\[string\]bool`
	return context.WithValue(ctx, key(4), names) // want `a collection, a \[\]string`
}

type queryOpts[T any] struct{ value T }

func generic[T any](ctx context.Context, v T) context.Context {
	return context.WithValue(ctx, key(5), queryOpts[T]{v}) // want `options, a queryOpts\[T\]`
}

// What follows is left alone.

func small(ctx context.Context, id string, n int, u *user, at time.Time) context.Context {
	ctx = context.WithValue(ctx, key(6), id)
	ctx = context.WithValue(ctx, key(7), n)
	ctx = context.WithValue(ctx, key(8), u)
	ctx = context.WithValue(ctx, key(9), *u)
	return context.WithValue(ctx, key(10), at)
}

func pointer(ctx context.Context, l *limits) context.Context {
	return context.WithValue(ctx, key(11), l)
}

func unknown[T any](ctx context.Context, v T, w any) context.Context {
	return context.WithValue(context.WithValue(ctx, key(12), v), key(13), w)
}
