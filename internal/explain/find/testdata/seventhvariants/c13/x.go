package c13

import (
	"context"
	"net/http"
)

// V1 closure, request that is made before
func Checker(c *http.Client, base string) func(ctx context.Context, path string) (bool, error) {
	return func(ctx context.Context, path string) (bool, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, nil)
		if err != nil {
			return false, err
		}
		resp, err := c.Do(req)
		if err != nil {
			return false, err
		}
		defer resp.Body.Close()
		return resp.Header.Get("X-Ready") == "yes", nil
	}
}
