package c12

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"time"
)

// V1 method and two functions, field of a literal
type Registry struct {
	base    string
	tls     *tls.Config
	timeout time.Duration
}

func (r *Registry) Manifest(ctx context.Context, name string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.base+"/v2/"+name+"/manifest", nil)
	if err != nil {
		return nil, err
	}
	resp, err := r.client().Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(io.LimitReader(resp.Body, 4<<20))
}

func (r *Registry) client() *http.Client {
	return &http.Client{Timeout: r.timeout, Transport: &http.Transport{TLSClientConfig: r.tls, MaxIdleConns: 10}}
}
