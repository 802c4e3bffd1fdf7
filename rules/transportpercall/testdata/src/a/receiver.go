package a

import (
	"crypto/tls"
	"net/http"
)

type registry struct {
	base string
	tls  *tls.Config
}

func (r *registry) manifest(name string) (*http.Response, error) {
	return r.client().Get(r.base + name)
}

func (r *registry) client() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: r.tls}} // want `this http.Transport serves one call`
}

// What follows is left alone.

func (r *registry) as(conf *tls.Config) (*http.Response, error) {
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: conf}}
	return c.Get(r.base)
}

type session struct{ http *http.Client }

func (r *registry) session() *session { return &session{r.kept()} }

func (r *registry) kept() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: r.tls}}
}
