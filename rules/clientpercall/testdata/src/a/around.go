package a

import (
	"net/http"
	"time"
)

func impatient(limit time.Duration) func(string) (*http.Response, error) {
	return func(url string) (*http.Response, error) {
		c := http.Client{Timeout: limit} // want `this http.Client serves one call`
		return c.Get(url)
	}
}

// What follows is left alone.

func waits(limit time.Duration, url string) (*http.Response, error) {
	get := func() (*http.Response, error) {
		c := http.Client{Timeout: limit}
		return c.Get(url)
	}
	return get()
}
