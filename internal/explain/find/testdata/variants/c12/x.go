package c12

import (
	"io"
	"net/http"
	"time"
)

// V1 renamed
func ping(u string) error {
	tr := &http.Transport{MaxIdleConns: 4}
	cl := http.Client{Transport: tr}
	r, err := cl.Get(u)
	if err != nil {
		return err
	}
	return r.Body.Close()
}

// V2 method
type api struct{ base string }

func (a *api) call(p string) (*http.Response, error) {
	return (&http.Client{Transport: &http.Transport{IdleConnTimeout: time.Second}}).Get(a.base + p)
}

// V3 closure
func probe() func(string) bool {
	return func(u string) bool {
		c := &http.Client{}
		c.Transport = &http.Transport{}
		_, err := c.Head(u)
		return err == nil
	}
}

// V4 generic
func fetchAs[T any](u string, f func(io.Reader) (T, error)) (T, error) {
	c := http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	r, err := c.Get(u)
	if err != nil {
		var z T
		return z, err
	}
	defer r.Body.Close()
	return f(r.Body)
}

// V5 two functions
func newRT() *http.Transport { return &http.Transport{MaxIdleConnsPerHost: 2} }
func load(u string) (*http.Response, error) {
	c := &http.Client{Transport: newRT()}
	return c.Get(u)
}
