package equal

import (
	"bytes"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestTable(t *testing.T) {
	for _, names := range [][]string{nil, {""}, {"a", "100%", strings.Repeat("long", 100), "\xff"}} {
		var b, a bytes.Buffer
		before.Table(&b, names)
		after.Table(&a, names)
		if b.String() != a.String() {
			t.Errorf("%q: %q, then %q", names, b.String(), a.String())
		}
	}
}
