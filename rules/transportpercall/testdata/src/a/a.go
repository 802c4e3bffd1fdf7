package a

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"time"
)

const wait = 5 * time.Second

var maxConns = 10

func fetch(link string) (*http.Response, error) {
	client := &http.Client{Timeout: wait, Transport: &http.Transport{MaxIdleConns: 10, IdleConnTimeout: wait}} // want `this http.Transport serves one call and is dropped`
	return client.Get(link)
}

// fetchSkip sends a request at once.
func fetchSkip(req *http.Request) (*http.Response, error) {
	return (&http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS13}}}).Do(req) // want `each call dials anew`
}

func trip(req *http.Request) (*http.Response, error) {
	tr := &http.Transport{ // want `share one`
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, addr)
		},
	}
	return tr.RoundTrip(req)
}

// A field is set later, or comes from a variable that may change: no fix.
func later(link string) (*http.Response, error) {
	tr := &http.Transport{} // want `share one`
	tr.MaxIdleConns = 3
	client := http.Client{}
	client.Transport = tr
	return client.Get(link)
}

func fromVariable(link string) (*http.Response, error) {
	client := http.Client{Transport: &http.Transport{MaxConnsPerHost: maxConns}} // want `share one`
	return client.Get(link)
}

func newTransport() *http.Transport { return &http.Transport{} }

func viaConstructor(link string) (*http.Response, error) {
	c := &http.Client{Transport: newTransport()} // want `share one`
	return c.Get(link)
}

// Nobody calls it here.
func NewTransport() *http.Transport {
	return &http.Transport{MaxIdleConns: 10} // want `each call of NewTransport makes an http.Transport with connections of its own`
}

// What follows is left alone.

func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConns: 10}}
}

type api struct{ http *http.Client }

func open() *api {
	tr := &http.Transport{MaxIdleConns: 10}
	return &api{&http.Client{Transport: tr}}
}

func (a *api) reset() {
	a.http.Transport = &http.Transport{}
	_, _ = a.http.Get("http://localhost")
}

func firstThenKept(a *api, link string) error {
	c := &http.Client{Transport: &http.Transport{}}
	_, err := c.Get(link)
	a.http = c
	return err
}

func passed(link string) error {
	c := &http.Client{Transport: &http.Transport{}}
	return with(c, link)
}

func with(c *http.Client, link string) error {
	_, err := c.Get(link)
	return err
}

func captured(link string) func() error {
	tr := &http.Transport{}
	return func() error { return with(&http.Client{Transport: tr}, link) }
}

func tenant(cert tls.Certificate, link string) (*http.Response, error) {
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{Certificates: []tls.Certificate{cert}}}}
	return c.Get(link)
}

func tenantLater(conf *tls.Config, link string) (*http.Response, error) {
	tr := &http.Transport{}
	tr.TLSClientConfig = conf
	c := &http.Client{Transport: tr}
	return c.Get(link)
}

func proxied(proxy *url.URL, link string) (*http.Response, error) {
	c := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	return c.Get(link)
}

func socket(path, link string) (*http.Response, error) {
	c := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	return c.Get(link)
}

func isolatedCall(link string) (*http.Response, error) {
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	return c.Get(link)
}

func closed(req *http.Request) (*http.Response, error) {
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	return tr.RoundTrip(req)
}

func clientClosed(link string) (*http.Response, error) {
	c := &http.Client{Transport: &http.Transport{}}
	defer c.CloseIdleConnections()
	return c.Get(link)
}

func wrapped(link string) (*http.Response, error) {
	c := &http.Client{Transport: logged{&http.Transport{}}}
	return c.Get(link)
}

type logged struct{ http.RoundTripper }

func unused() {
	_ = &http.Transport{}
}

func init() {
	_, _ = (&http.Client{Transport: &http.Transport{}}).Get("http://localhost/ready")
}
