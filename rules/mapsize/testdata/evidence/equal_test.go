package equal

import (
	"maps"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func FuzzCollect(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte{0})
	f.Add([]byte{1, 1, 1, 2})
	f.Add(make([]byte, 300))
	f.Fuzz(func(t *testing.T, data []byte) {
		var accounts []int
		for i, b := range data {
			accounts = append(accounts, int(b), int(b)*1000+i)
		}
		if x, y := before.Collect(accounts), after.Collect(accounts); !maps.Equal(x, y) || y == nil {
			t.Errorf("%v, then %v", x, y)
		}
	})
}
