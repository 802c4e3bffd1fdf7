package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestQuery(t *testing.T) {
	var keys []string
	var values []int
	for n := range 20 {
		if a, b := before.Query(keys, values), after.Query(keys, values); a != b {
			t.Errorf("%d keys: %q, then %q", n, a, b)
		}
		keys, values = append(keys, strings.Repeat("é", n)), append(values, n*n*n-100)
	}
}
