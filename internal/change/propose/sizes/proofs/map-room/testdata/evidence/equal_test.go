package equal

import (
	"maps"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCount(t *testing.T) {
	for _, s := range []string{"", " ", "one", "one two one", strings.Join(strings.Split("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", ""), " ")} {
		if x, y := before.Count(s), after.Count(s); !maps.Equal(x, y) || x == nil || y == nil {
			t.Errorf("%q: %v, then %v", s, x, y)
		}
	}
}
