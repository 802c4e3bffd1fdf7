package sorted

import (
	"cmp"
	"slices"
	"testing"
	"testing/quick"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestStable holds both to the stable sorts of package slices.
func TestStable(t *testing.T) {
	type pair struct{ Key, At int }
	byKey := func(a, b pair) int { return cmp.Compare(a.Key, b.Key) }
	same := func(keys []uint8) bool {
		var list []pair
		for i, key := range keys {
			list = append(list, pair{int(key % 8), i})
		}
		want := slices.SortedStableFunc(slices.Values(list), byKey)
		of := Of(slices.Values(list), byKey)
		By(list, byKey)
		return gocmp.Equal(list, want) && gocmp.Equal(of, want)
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}
