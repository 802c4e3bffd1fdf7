package equal

import (
	"bytes"
	"net/http/httptest"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// The answers are the same, and so is the head of the dump, which is about the
// goroutine itself. That the others are missing is the point.
func TestServe(t *testing.T) {
	for _, path := range []string{"/", "/a", "/a/b"} {
		b, a := new(before.Server), new(after.Server)
		rb, ra := httptest.NewRecorder(), httptest.NewRecorder()
		b.ServeHTTP(rb, httptest.NewRequest("GET", path, nil))
		a.ServeHTTP(ra, httptest.NewRequest("GET", path, nil))
		if rb.Body.String() != ra.Body.String() || rb.Code != ra.Code {
			t.Errorf("%s: %q, then %q", path, rb.Body, ra.Body)
		}
		head1, _, _ := bytes.Cut(b.Last, []byte("\n"))
		head2, _, _ := bytes.Cut(a.Last, []byte("\n"))
		if !bytes.Equal(head1, head2) {
			t.Errorf("%s: the dump starts with %q, then %q", path, head1, head2)
		}
	}
}
