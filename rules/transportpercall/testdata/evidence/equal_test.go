package equal

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	after "evidence/after"
	before "evidence/before"
)

func TestStatus(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(make([]byte, n))
	}))
	defer srv.Close()
	for _, url := range []string{srv.URL + "/0", srv.URL + "/1", srv.URL + "/100000", srv.URL + "/none", "http://127.0.0.1:1/", "no scheme"} {
		s1, n1, e1 := before.Status(url)
		for range 3 {
			s2, n2, e2 := after.Status(url)
			if s1 != s2 || n1 != n2 || (e1 == nil) != (e2 == nil) {
				t.Errorf("%s: %d %d %v, then %d %d %v", url, s1, n1, e1, s2, n2, e2)
			}
		}
	}
	// A connection that has been idle too long is dialled anew.
	time.Sleep(150 * time.Millisecond)
	if s, _, err := after.Status(srv.URL + "/1"); s != 200 || err != nil {
		t.Errorf("after a pause: %d, %v", s, err)
	}
}
