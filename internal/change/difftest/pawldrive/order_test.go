package pawldrive

import "testing"

func TestLoose(t *testing.T) {
	f := newFunction(Func{Name: "m.F"})
	same := func(a, b any, loose bool) bool {
		d := newDiffer(f)
		d.loose = loose
		return d.any(a, b) == nil
	}
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{[]string{"a", "b"}, []string{"b", "a"}, true},
		{[]string{"a", "b"}, []string{"a", "a"}, false},
		{[]int{1, 2, 2}, []int{2, 1, 2}, true},
		{[]int{1, 2, 2}, []int{2, 1}, false},
		{"a=1&b=2", "b=2&a=1", true},
		{"a=1", "a=2", false},
		{[]byte("xy"), []byte("yx"), true},
		{[][]int{{1}, {2}}, [][]int{{2}, {1}}, true},
	} {
		if same(c.a, c.b, false) || same(c.a, c.b, true) != c.want {
			t.Errorf("%v and %v: want %v", c.a, c.b, c.want)
		}
	}
}
