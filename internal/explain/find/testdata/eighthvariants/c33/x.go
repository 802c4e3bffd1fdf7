package c33

import (
	"context"
	"net/http"
	"time"
)

// V1 method
type retryKey struct{}

type RetryPolicy struct {
	Attempts             int
	Min, Max, Step       time.Duration
	Codes                []int
	Jitter               bool
	Before, After, Abort func(int) bool
}

type client struct{ policy RetryPolicy }

func (c *client) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, retryKey{}, c.policy)
}

// V2 two functions
type ctxKey int

const flagsKey ctxKey = iota

func withFlags(ctx context.Context, flags map[string]bool) context.Context {
	return context.WithValue(ctx, flagsKey, flags)
}

func flag(ctx context.Context, name string) bool {
	m, _ := ctx.Value(flagsKey).(map[string]bool)
	return m[name]
}

func Middleware(next http.Handler, flags map[string]bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := withFlags(r.Context(), flags)
		if flag(ctx, "maintenance") {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
