package c13

import (
	"errors"
	"io"
	"net/http"
)

// V1 renamed
func status(u string) (int, error) {
	res, err := http.Get(u)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	return res.StatusCode, nil
}

// V2 method
type cl struct{ c *http.Client }

func (c *cl) post(u string, b io.Reader) error {
	rsp, err := c.c.Post(u, "text/plain", b)
	if err != nil {
		return err
	}
	rsp.Body.Close()
	if rsp.StatusCode != 200 {
		return errors.New(rsp.Status)
	}
	return nil
}

// V3 closure, missed
func checker(c *http.Client) func(*http.Request) error {
	return func(q *http.Request) error {
		resp, err := c.Do(q)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		return nil
	}
}

// V4 generic
func head[T ~string](urls []T) (ok int) {
	for _, u := range urls {
		r, err := http.Get(string(u))
		if err != nil {
			continue
		}
		r.Body.Close()
		ok++
	}
	return
}

// V5 two functions
func do(u string) (*http.Response, error) { return http.Get(u) }
func alive(u string) bool {
	r, err := do(u)
	if err != nil {
		return false
	}
	defer r.Body.Close()
	return r.StatusCode < 500
}
