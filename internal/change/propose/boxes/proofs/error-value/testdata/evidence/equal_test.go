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
	for _, s := range []string{"", "1234", "12345", strings.Repeat("1", 1000)} {
		n, err := before.Parse(s)
		m, err2 := after.Parse(s)
		if n != m || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Errorf("%q: %d and %v, then %d and %v", s, n, err, m, err2)
		}
		if err == nil {
			continue
		}
		if a, b := before.Length(fmt.Errorf("x: %w", err)), after.Length(fmt.Errorf("x: %w", err2)); a != b {
			t.Errorf("%q: length %d, then %d", s, a, b)
		}
	}
	if a, b := before.Length(errors.New("other")), after.Length(errors.New("other")); a != b {
		t.Errorf("another error: length %d, then %d", a, b)
	}
}
