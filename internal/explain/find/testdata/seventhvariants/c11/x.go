package c11

import (
	"net/http"
	"time"
)

// V1 two functions, variable of the type
type probe struct{ urls []string }

func newClient() *http.Client {
	return &http.Client{Timeout: 5 * time.Second}
}

func (p *probe) Up() (n int) {
	for _, u := range p.urls {
		c := newClient()
		resp, err := c.Head(u)
		if err != nil {
			continue
		}
		resp.Body.Close()
		n++
	}
	return n
}
