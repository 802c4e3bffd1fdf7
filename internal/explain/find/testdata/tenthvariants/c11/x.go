package c11

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// V1 method, a value and no pointer, fields set later
type Hook struct {
	url     string
	timeout time.Duration
	follow  bool
}

func (h *Hook) Fire(ctx context.Context) error {
	var client http.Client
	client.Timeout = h.timeout
	if !h.follow {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("hook %s: %s", h.url, resp.Status)
	}
	return nil
}
