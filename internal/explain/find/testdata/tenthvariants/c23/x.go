package c23

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// V1 method and two functions, if with init
type Keys struct {
	mu   sync.RWMutex
	http *http.Client
	base string
	pem  map[string][]byte
}

func (k *Keys) Get(ctx context.Context, id string) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if pem, ok := k.pem[id]; ok {
		return pem, nil
	}
	pem, err := k.fetch(ctx, id)
	if err != nil {
		return nil, err
	}
	k.pem[id] = pem
	return pem, nil
}

func (k *Keys) fetch(ctx context.Context, id string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, k.base+"/keys/"+id, nil)
	if err != nil {
		return nil, err
	}
	resp, err := k.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(io.LimitReader(resp.Body, 1<<16))
}
