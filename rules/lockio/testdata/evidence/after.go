// Package evidence asks a server whose address may change.
package evidence

import (
	"net/http"
	"sync"
)

// A Caller asks a server.
type Caller struct {
	mu     sync.Mutex
	URL    string
	Client *http.Client
}

// Call asks the server, and returns its status.
func (c *Caller) Call() (int, error) {
	c.mu.Lock()
	url := c.URL
	c.mu.Unlock()
	resp, err := c.Client.Get(url)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}
