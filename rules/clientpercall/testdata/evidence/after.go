// Package evidence asks a service for its status.
package evidence

import (
	"io"
	"net/http"
	"time"
)

// sharedClient sends the requests of Status.
var sharedClient = &http.Client{Timeout: 10 * time.Second}

// Status returns the status and the length of what is at url.
func Status(url string) (status int, length int64, err error) {
	client := sharedClient
	resp, err := client.Get(url)
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	length, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, length, err
}
