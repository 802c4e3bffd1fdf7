package equal

import (
	"net/http"
	"net/http/httptest"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestHandle(t *testing.T) {
	for _, path := range []string{"/", "/a", "/a/b"} {
		var got [2]string
		for i, h := range []http.HandlerFunc{before.Handle, after.Handle} {
			rec := httptest.NewRecorder()
			h(rec, httptest.NewRequest("GET", path, nil))
			got[i] = rec.Body.String()
		}
		if got[0] != got[1] {
			t.Errorf("%s: %q, then %q", path, got[0], got[1])
		}
	}
}
