//go:build neverbuilt

package tested

import "testing"

func TestScore(t *testing.T) {
	if score(page{}) != 0 {
		t.Error("score")
	}
}
