// Package evidence answers requests by a configuration.
package evidence

import "context"

// A Config says how requests are answered.
type Config struct {
	Greeting, Name string
	Limits         [16]int
}

type key struct{}

// Handle answers a request.
func Handle(ctx context.Context, cfg Config, user string) string {
	return answer(context.WithValue(ctx, key{}, cfg), user)
}

func answer(ctx context.Context, user string) string {
	cfg, _ := ctx.Value(key{}).(Config)
	if ctx.Err() != nil || len(user) > cfg.Limits[0] {
		return ""
	}
	return cfg.Greeting + user
}
