package a

import (
	"errors"
	"net/http"
	"time"
)

const wait = 2 * time.Second

func fetch(url string) (*http.Response, error) {
	c := &http.Client{Timeout: wait} // want `this http.Client serves one call; its connections are http.DefaultTransport's`
	return c.Get(url)
}

func once(req *http.Request) (*http.Response, error) {
	return (&http.Client{}).Do(req) // want `only the small object`
}

func value(url string) (*http.Response, error) {
	client := http.Client{ // want `serves one call`
		Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	return client.Get(url)
}

func changed(url string) (*http.Response, error) {
	c := &http.Client{} // want `this http.Client serves one call`
	c.Timeout = wait
	return c.Get(url)
}

func hasty() *http.Client { return &http.Client{Timeout: wait} }

func handed(url string) (*http.Response, error) {
	return hasty().Get(url) // want `this http.Client serves one call`
}

func client(d time.Duration) *http.Client { return &http.Client{Timeout: d} }

func head(url string) (*http.Response, error) {
	return client(wait).Head(url) // want `this http.Client serves one call`
}

// What follows is left alone.

func newClient() *http.Client { return &http.Client{Timeout: wait} }

func patient(url string, wait time.Duration) (*http.Response, error) {
	c := &http.Client{Timeout: wait}
	return c.Get(url)
}

func session(url string, jar http.CookieJar) (*http.Response, error) {
	c := &http.Client{Jar: jar}
	return c.Get(url)
}

func noJar(url string) (*http.Response, error) {
	c := &http.Client{Jar: nil}
	return c.Get(url)
}

func counted(url string) (n int, err error) {
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		n++
		return nil
	}}
	_, err = c.Get(url)
	return n, err
}

func own(url string) (*http.Response, error) {
	c := &http.Client{Transport: &http.Transport{}}
	return c.Get(url)
}

func passed(url string) error {
	c := &http.Client{Timeout: wait}
	return use(c, url)
}

func use(c *http.Client, url string) error {
	if c == nil {
		return errors.New("no client")
	}
	_, err := c.Get(url)
	return err
}

var shared = &http.Client{Timeout: wait}

func init() {
	c := &http.Client{Timeout: wait}
	_, _ = c.Get("http://localhost/ready")
	_, _ = shared.Get("http://localhost/ready")
}

func timed(url string, d time.Duration) (*http.Response, error) {
	return client(d).Head(url) // each call has its own time
}
