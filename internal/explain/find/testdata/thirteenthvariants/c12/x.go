package c12

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// V1 across two functions, missed

func secureTransport(serverName string) *http.Transport {
	return &http.Transport{
		TLSClientConfig:     &tls.Config{ServerName: serverName, MinVersion: tls.VersionTLS12},
		DialContext:         (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
		TLSHandshakeTimeout: 5 * time.Second,
	}
}

func fetchManifest(ctx context.Context, host, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+host+path, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{Transport: secureTransport(host)}
	return client.Do(req)
}
