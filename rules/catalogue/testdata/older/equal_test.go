package equal

import (
	"math"
	"reflect"
	"testing"

	after "older/after"
	before "older/before"
)

func Test(t *testing.T) {
	a, b, c, nan := new(int), new(int), new(int), math.NaN()
	pointers := [][]*int{{a, b, a, b}, nil, {c}, {a, c, a}}
	rows := [][]int{{0, 1, 1}, {2}, nil, {1, 1, 1}}
	words := []string{"long word", "", "a", "another", "b"}
	pads := []uint8{3, 254, 1, 200, 2}
	floats := [][]float64{{1, nan, nan}, {2, nan}, {1}}
	texts := [][]string{{"a", "b", "a"}, {"c"}}
	for i, pair := range [][2]interface{}{
		{before.Distinct(pointers), after.Distinct(pointers)},
		{before.Steady(rows, 3), after.Steady(rows, 3)},
		{before.Unsteady(words, pads), after.Unsteady(words, pads)},
		{before.Floats(floats), after.Floats(floats)},
		{before.Shadowed(texts, true, 1), after.Shadowed(texts, true, 1)},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%d: %v, then %v", i, pair[0], pair[1])
		}
	}
}
