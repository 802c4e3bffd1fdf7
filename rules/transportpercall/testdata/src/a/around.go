package a

import (
	"crypto/tls"
	"net/http"
)

func pinned(c *tls.Config) func(string) (*http.Response, error) {
	return func(url string) (*http.Response, error) {
		client := http.Client{Transport: &http.Transport{TLSClientConfig: c}} // want `this http.Transport serves one call`
		return client.Get(url)
	}
}

// What follows is left alone.

func once(c *tls.Config, url string) (resp *http.Response, err error) {
	func() {
		client := http.Client{Transport: &http.Transport{TLSClientConfig: c}}
		resp, err = client.Get(url)
	}()
	return resp, err
}

func changing(configs []*tls.Config) func(string) (*http.Response, error) {
	c := configs[0]
	return func(url string) (*http.Response, error) {
		client := http.Client{Transport: &http.Transport{TLSClientConfig: c}}
		c = configs[len(configs)-1]
		return client.Get(url)
	}
}
