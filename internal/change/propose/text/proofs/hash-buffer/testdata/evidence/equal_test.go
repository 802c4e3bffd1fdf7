package equal

import (
	"hash/fnv"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestSum(t *testing.T) {
	x, y := &before.Hasher{Hash: fnv.New64a()}, &after.Hasher{Hash: fnv.New64a()}
	var old []before.Label
	var now []after.Label
	for i := range 40 {
		old = append(old, before.Label{Name: strings.Repeat("n", i%7), Value: strings.Repeat("ä", 40-i)})
		now = append(now, after.Label(old[i]))
		if a, b := x.Sum(old), y.Sum(now); a != b {
			t.Errorf("%d labels: %x, then %x", i+1, a, b)
		}
	}
}
