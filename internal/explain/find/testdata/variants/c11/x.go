package c11

import (
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// V1 renamed
func ping(addr string) error {
	cl := http.Client{Timeout: time.Second}
	resp, err := cl.Head(addr)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// V2 method
type api struct{ base string }

func (a *api) post(p string, body io.Reader) (*http.Response, error) {
	client := &http.Client{Timeout: 3 * time.Second}
	req, err := http.NewRequest("POST", a.base+p, body)
	if err != nil {
		return nil, err
	}
	return client.Do(req)
}

// V3 closure
func getter(d time.Duration) func(string) (*http.Response, error) {
	return func(u string) (*http.Response, error) {
		c := &http.Client{}
		c.Timeout = 5 * time.Second
		return c.Get(u)
	}
}

// V4 generic
func getJSON[T any](u string) (T, error) {
	var t T
	c := http.Client{}
	r, err := c.Get(u)
	if err != nil {
		return t, err
	}
	defer r.Body.Close()
	return t, json.NewDecoder(r.Body).Decode(&t)
}

// V5 two functions
func newClient() *http.Client               { return &http.Client{Timeout: time.Second} }
func load(u string) (*http.Response, error) { return newClient().Get(u) }
