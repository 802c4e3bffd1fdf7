package equal

import (
	"slices"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestDepths(t *testing.T) {
	texts := []string{"", "()", "(())", "()(())", "((()())())", "())(("}
	if got, want := after.Depths(texts), before.Depths(texts); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
