package equal

import (
	"fmt"
	"reflect"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// said returns what a call returns, or that it panics.
func said(flat func(reflect.Value) (int, int64), of any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "panic"
		}
	}()
	n, sum := flat(reflect.ValueOf(of))
	return fmt.Sprint(n, sum)
}

func TestFlat(t *testing.T) {
	for _, of := range []any{
		map[string]int{}, map[string]int(nil), map[string]int{"a": 1, "bc": 2}, map[int]int{3: 4}, nil, 7, []int{1},
		map[string]any{"a": nil, "b": map[string]int{"c": 5}, "d": map[int]any{6: map[string]any{"e": 7, "f": "g"}}},
	} {
		if a, b := said(before.Flat, of), said(after.Flat, of); a != b {
			t.Errorf("%v: %s, then %s", of, a, b)
		}
	}
}
