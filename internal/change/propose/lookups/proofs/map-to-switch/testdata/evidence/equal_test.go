package equal

import (
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestCount(t *testing.T) {
	words := strings.Fields("func Func fun c const continu continue if ifs else elsewhere switch case for range type var return break goto gotos")
	for n := range len(words) + 1 {
		list := append([]string{""}, words[:n]...)
		if x, y := before.Count(list), after.Count(list); x != y {
			t.Errorf("%q: %v, then %v", list, x, y)
		}
	}
}
