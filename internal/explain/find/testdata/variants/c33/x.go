package c33

import (
	"context"
	"net/http"
)

type key struct{}
type opts struct {
	a, b, c, d string
	m          map[string]string
	xs         [32]int
}

// V1 renamed
func attach(ctx context.Context, o opts) context.Context { return context.WithValue(ctx, key{}, o) }

// V2 method
type mw struct{ conf opts }

func (m *mw) wrap(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), key{}, m.conf))
}

// V3 closure
func adder(o opts) func(context.Context) context.Context {
	return func(c context.Context) context.Context { return context.WithValue(c, key{}, o) }
}

// V4 generic
func with[T any](ctx context.Context, t T) context.Context { return context.WithValue(ctx, key{}, t) }
func use(ctx context.Context, o opts) context.Context      { return with(ctx, o) }

// V5 two functions
func put(ctx context.Context, k, v any) context.Context { return context.WithValue(ctx, k, v) }
func start(ctx context.Context, o opts) context.Context {
	ctx = put(ctx, "limit", 3)
	ctx = put(ctx, "name", "x")
	return put(ctx, key{}, o)
}
