package evidence

import (
	"net/http"
	"sync"
	"testing"
	"time"
)

// far is a server that answers after a millisecond.
type far struct{}

func (far) RoundTrip(*http.Request) (*http.Response, error) {
	time.Sleep(time.Millisecond)
	return &http.Response{StatusCode: http.StatusNoContent, Body: http.NoBody}, nil
}

func BenchmarkCall(b *testing.B) {
	c := &Caller{URL: "http://far", Client: &http.Client{Transport: far{}}}
	for b.Loop() {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if _, err := c.Call(); err != nil {
					b.Error(err)
				}
			})
		}
		wg.Wait()
	}
}
