package c12

import (
	"io"
	"net/http"
	"net/url"
	"time"
)

// V1 renamed
func makeRoundTripper() *http.Transport {
	return &http.Transport{MaxIdleConns: 10}
}

// V2 method
type fetcher struct{ timeout time.Duration }

func (f *fetcher) fetch(u string) (*http.Response, error) {
	tr := &http.Transport{IdleConnTimeout: f.timeout}
	c := &http.Client{Transport: tr}
	return c.Get(u)
}

// V3 closure
func proxied(p *url.URL) func(u string) (*http.Response, error) {
	return func(u string) (*http.Response, error) {
		c := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(p)}}
		return c.Get(u)
	}
}

// V4 generic
func Call[T any](u string, parse func(io.Reader) (T, error)) (T, error) {
	var zero T
	tr := &http.Transport{TLSHandshakeTimeout: time.Second}
	resp, err := (&http.Client{Transport: tr}).Get(u)
	if err != nil {
		return zero, err
	}
	defer resp.Body.Close()
	return parse(resp.Body)
}

// V5 two functions
func transport() http.RoundTripper { return &http.Transport{MaxIdleConnsPerHost: 4} }
func request(u string) (*http.Response, error) {
	c := &http.Client{Transport: transport()}
	return c.Get(u)
}
