package equal

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// TestHandle compares the answers, and the sizes with what lies between two
// readings: nothing is collected meanwhile, so that the heap only grows. Reading
// allocates in parts that a thread keeps for itself, hence the slack.
func TestHandle(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	const slack = 256 << 10
	for _, path := range []string{"/", "/a", "/\x00"} {
		for range 10 {
			var body [2]string
			var size [2]uint64
			for i, h := range []func(http.ResponseWriter, *http.Request) uint64{before.Handle, after.Handle} {
				rec, req := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
				req.URL.Path = path
				size[i] = h(rec, req)
				body[i] = rec.Body.String()
			}
			if body[0] != body[1] {
				t.Errorf("%q: %q, then %q", path, body[0], body[1])
			}
			if size[1]+slack < size[0] || size[1] > size[0]+slack {
				t.Errorf("%q: %d bytes, then %d", path, size[0], size[1])
			}
		}
	}
}
