package equal

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// answer writes as many bytes as the path says, with the status in the query.
func answer(w http.ResponseWriter, r *http.Request) {
	status, _ := strconv.Atoi(r.URL.Query().Get("status"))
	size, _ := strconv.Atoi(r.URL.Path[1:])
	w.WriteHeader(status)
	if status != http.StatusNoContent {
		_, _ = w.Write(make([]byte, size))
	}
}

func TestPing(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(answer))
	defer srv.Close()
	urls := []string{"http://127.0.0.1:1/refused"}
	for _, status := range []int{200, 204, 404, 500} {
		for _, size := range []int{0, 1, 2 << 10, 64 << 10, 64<<10 + 1, 1 << 20} {
			urls = append(urls, fmt.Sprintf("%s/%d?status=%d", srv.URL, size, status))
		}
	}
	for _, url := range urls {
		for range 3 {
			e1, e2 := before.Ping(srv.Client(), url), after.Ping(srv.Client(), url)
			if fmt.Sprint(e1) != fmt.Sprint(e2) {
				t.Errorf("%s: %v, then %v", url, e1, e2)
			}
		}
	}
}
