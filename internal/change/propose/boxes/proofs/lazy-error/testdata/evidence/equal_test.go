package equal

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestParse(t *testing.T) {
	for _, s := range []string{"", "1234", "12x4", "12345", strings.Repeat("1", 1000)} {
		n, err := before.Parse(s)
		m, err2 := after.Parse(s)
		if n != m || fmt.Sprintf("%v %+v %q", err, err, err) != fmt.Sprintf("%v %+v %q", err2, err2, err2) {
			t.Errorf("%q: %d and %v, then %d and %v", s, n, err, m, err2)
		}
		if errors.Unwrap(err) != errors.Unwrap(err2) {
			t.Errorf("%q: wraps %v, then %v", s, errors.Unwrap(err), errors.Unwrap(err2))
		}
	}
}
