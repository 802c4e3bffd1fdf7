package x

import (
	"net/http"
	"sync"
)

// V1 other names
type rates struct {
	guard sync.Mutex
	seen  map[string]int
}

func (rt *rates) probe(site string) (int, error) {
	rt.guard.Lock()
	defer rt.guard.Unlock()
	if c, ok := rt.seen[site]; ok {
		return c, nil
	}
	rsp, err := http.Get(site)
	if err != nil {
		return 0, err
	}
	defer rsp.Body.Close()
	rt.seen[site] = rsp.StatusCode
	return rsp.StatusCode, nil
}
