package c11

import (
	"net/http"
	"time"
)

// V1 closure
func Probes(urls []string) []func() bool {
	all := make([]func() bool, 0, len(urls))
	for _, u := range urls {
		all = append(all, func() bool {
			c := http.Client{Timeout: 3 * time.Second}
			resp, err := c.Head(u)
			if err != nil {
				return false
			}
			resp.Body.Close()
			return resp.StatusCode < 400
		})
	}
	return all
}

// V2 two functions
func newClient() *http.Client {
	return &http.Client{Timeout: 5 * time.Second}
}

type uploader struct{ base string }

func (u *uploader) Ping() error {
	resp, err := newClient().Get(u.base + "/ping")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
