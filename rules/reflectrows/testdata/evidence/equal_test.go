package equal

import (
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestMap(t *testing.T) {
	rows := []map[string]any{{}, {"ID": 1}, {"Owner": "a", "ID": 2}, {"Open": true}, {"ID": 3, "Owner": "b", "Open": true}}
	want := before.Map(rows)
	for i, a := range after.Map(rows) {
		if before.Account(a) != want[i] {
			t.Errorf("%v: %v, then %v", rows[i], want[i], a)
		}
	}
	if !slices.Equal(after.Map(nil), []after.Account{}) {
		t.Error("no rows make accounts")
	}
}
