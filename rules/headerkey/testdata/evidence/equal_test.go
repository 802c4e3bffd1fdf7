package equal

import (
	"net/http"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestTrace(t *testing.T) {
	for _, h := range []http.Header{
		nil, {}, {"X-Request-Id": {"1"}}, {"X-Request-ID": {"1"}, "x-forwarded-host": {"h"}}, {"X-Forwarded-Host": {"a", "b"}, "X-Request-Id": {}},
	} {
		r := &http.Request{Header: h}
		bID, bHost := before.Trace(r)
		if id, host := after.Trace(r); id != bID || host != bHost {
			t.Errorf("%v: %q %q, then %q %q", h, bID, bHost, id, host)
		}
	}
}
