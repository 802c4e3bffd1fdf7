package c13

import (
	"net/http"
)

// V1 renamed
func alive(addr string) bool {
	res, err := http.Get(addr)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.StatusCode < 400
}

// V2 method
type probe struct{ c *http.Client }

func (p *probe) code(u string) (int, error) {
	resp, err := p.c.Get(u)
	if err != nil {
		return 0, err
	}
	resp.Body.Close()
	return resp.StatusCode, nil
}

// V3 closure
func header(name string) func(string) (string, error) {
	return func(u string) (string, error) {
		r, err := http.DefaultClient.Get(u)
		if err != nil {
			return "", err
		}
		defer r.Body.Close()
		return r.Header.Get(name), nil
	}
}

// V4 generic
func Fetch[T any](c *http.Client, u string, pick func(*http.Header) T) (T, error) {
	var zero T
	resp, err := c.Get(u)
	if err != nil {
		return zero, err
	}
	defer resp.Body.Close()
	return pick(&resp.Header), nil
}

// V5 two functions
func open(u string) (*http.Response, error) { return http.Get(u) }
func isOK(u string) (bool, error) {
	resp, err := open(u)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	return resp.StatusCode == 200, nil
}
