package invariantpath

import (
	"testing"
)

// TestClass looks at the classes, which the findings do not show otherwise.
func TestClass(t *testing.T) {
	for _, c := range []struct {
		sure  bool
		calls calls
		want  string
	}{{true, known, "A"}, {true, unknown, "B"}, {false, known, "B"}} {
		s := &site{name: "MkdirAll", sure: c.sure, calls: c.calls}
		if got := s.class(); string(got) != c.want {
			t.Errorf("%+v: class %s, want %s", c, got, c.want)
		}
	}
}
