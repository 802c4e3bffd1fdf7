// Package evidence answers requests by a configuration.
package evidence

import "context"

// A Config says how requests are answered.
type Config struct {
	Greeting, Name string
	Limits         [16]int
}

// Handle answers a request.
func Handle(ctx context.Context, cfg Config, user string) string {
	return answer(ctx, &cfg, user)
}

func answer(ctx context.Context, cfg *Config, user string) string {
	if ctx.Err() != nil || len(user) > cfg.Limits[0] {
		return ""
	}
	return cfg.Greeting + user
}
