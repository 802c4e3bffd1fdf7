package c12

import (
	"crypto/tls"
	"net/http"
)

// V2 method
type probe struct{ url string }

func (p probe) check() error {
	tr := &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}}
	client := http.Client{Transport: tr}
	resp, err := client.Head(p.url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
