package c23

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
)

// V1 generic code

type Directory[V any] struct {
	base   string
	client *http.Client

	mu     sync.Mutex
	loaded map[string]V
}

func (d *Directory[V]) Lookup(ctx context.Context, id string) (V, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v, ok := d.loaded[id]; ok {
		return v, nil
	}
	var v V
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.base+"/"+id, nil)
	if err != nil {
		return v, err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return v, err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
		return v, err
	}
	d.loaded[id] = v
	return v, nil
}
