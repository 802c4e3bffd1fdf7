package equal

import (
	"maps"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestKeys(t *testing.T) {
	for _, values := range [][]string{nil, {"1"}, {"1", "x"}} {
		got, gotErr := after.Keys(values)
		want, wantErr := before.Keys(values)
		if !maps.Equal(got, want) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%v: %v, %v, want %v, %v", values, got, gotErr, want, wantErr)
		}
	}
}
