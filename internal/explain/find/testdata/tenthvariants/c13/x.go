package c13

import (
	"context"
	"log/slog"
	"net/http"
)

// V1 method, deferred closure, two results
type Checker struct {
	client *http.Client
	log    *slog.Logger
}

func (c *Checker) Healthy(ctx context.Context, url string) (ok bool, status int) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false, 0
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return false, 0
	}
	defer func() {
		if err := resp.Body.Close(); err != nil {
			c.log.Warn("closing body", "err", err)
		}
	}()
	return resp.StatusCode/100 == 2, resp.StatusCode
}
