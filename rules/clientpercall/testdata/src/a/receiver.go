package a

import (
	"net/http"
	"time"
)

type hook struct {
	url     string
	timeout time.Duration
}

func (h *hook) fire() (*http.Response, error) {
	c := &http.Client{Timeout: h.timeout} // want `this http.Client serves one call`
	return c.Get(h.url)
}

// What follows is left alone.

func (h *hook) within(timeout time.Duration) (*http.Response, error) {
	c := &http.Client{Timeout: timeout}
	return c.Get(h.url)
}
