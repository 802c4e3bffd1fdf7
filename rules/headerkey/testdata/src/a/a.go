package a

import (
	"net/http"
	"net/textproto"
)

const requestID = "X-Request-ID"

type proxy[T any] struct{ out http.Header }

func (p *proxy[T]) forward(r *http.Request, part textproto.MIMEHeader) {
	p.out.Set("x-trace-id", r.Header.Get("X-Trace-ID")) // want `"x-trace-id" is brought into the form "X-Trace-Id" at each call; write it so` `"X-Trace-ID" is brought`
	func() {
		for _, v := range r.Header.Values("etag") { // want `"etag" is brought into the form "Etag"`
			p.out.Add(`ETag`, v) // want `"ETag" is brought`
		}
	}()
	p.out.Del("content" + "-type") // want `"content-type" is brought`
	part.Set(requestID, "1")       // want `"X-Request-ID" is brought`
}

// What follows is left alone.

type own map[string]string

func (o own) Get(key string) string { return o[key] }

func alone(r *http.Request, name string, o own) {
	r.Header.Set("Content-Type", "text/plain")
	r.Header.Get("not a name")
	r.Header.Get(name)
	o.Get("x-trace-id")
	r.FormValue("x-trace-id")
	_ = r.Header["x-trace-id"]
	_ = r.Header.Get
}
