package c23

import (
	"encoding/json"
	"os"
	"sync"
)

// V4 generic

type documents[K comparable, V any] struct {
	mu     sync.Mutex
	loaded map[K]V
	path   func(K) string
}

func (d *documents[K, V]) get(key K) (V, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v, ok := d.loaded[key]; ok {
		return v, nil
	}
	var v V
	data, err := os.ReadFile(d.path(key))
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return v, err
	}
	d.loaded[key] = v
	return v, nil
}
