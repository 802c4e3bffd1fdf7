package x07

import "net/http"

// V1 constant of the package, Set, variable of the type
const tenant = "x-tenant-id"

type forwarder struct{ id string }

func (f *forwarder) Sign(h http.Header) {
	h.Set(tenant, f.id)
	h.Del("etag")
}
