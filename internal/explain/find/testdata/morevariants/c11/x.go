package c11

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// V1 renamed
func download(addr string) (*http.Response, error) {
	cl := &http.Client{Timeout: 10 * time.Second}
	return cl.Get(addr)
}

// V2 method
type api struct{ base string }

func (a *api) status(ctx context.Context) (int, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", a.base+"/status", nil)
	if err != nil {
		return 0, err
	}
	client := http.Client{}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.StatusCode, nil
}

// V3 closure
func pinger() func(string) error {
	return func(u string) error {
		c := &http.Client{Timeout: time.Second}
		resp, err := c.Head(u)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}
}

// V4 generic
func GetJSON[T any](u string) (out T, err error) {
	c := &http.Client{Timeout: time.Second}
	resp, err := c.Get(u)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&out)
	return out, err
}

// V5 two functions
func newClient() *http.Client { return &http.Client{Timeout: 3 * time.Second} }
func post(u string, body io.Reader) (*http.Response, error) {
	return newClient().Post(u, "text/plain", body)
}
