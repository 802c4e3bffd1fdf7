package c12

import (
	"crypto/tls"
	"io"
	"net/http"
)

// V3 closure

type fetchFunc func(url string) ([]byte, error)

func newFetch(pinned *tls.Config) fetchFunc {
	return func(url string) ([]byte, error) {
		req, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			return nil, err
		}
		transport := &http.Transport{TLSClientConfig: pinned}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		return io.ReadAll(resp.Body)
	}
}
