package c11

import (
	"net/http"
	"time"
)

// V5 two functions
func newClient(d time.Duration) *http.Client { return &http.Client{Timeout: d} }

func status(addr string) (int, error) {
	res, err := newClient(3 * time.Second).Get(addr)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	return res.StatusCode, nil
}
