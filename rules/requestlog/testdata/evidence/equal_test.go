package equal

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestHandler(t *testing.T) {
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	for _, path := range []string{"/", "/a?b=c"} {
		var got [2]string
		for i, h := range []http.Handler{&before.Handler{Logger: logger}, &after.Handler{Logger: logger}} {
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
			got[i] = rec.Body.String()
		}
		if got[0] != got[1] {
			t.Errorf("%s: %q, then %q", path, got[0], got[1])
		}
	}
}
