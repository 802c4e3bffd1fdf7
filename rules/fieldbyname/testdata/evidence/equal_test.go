package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestField(t *testing.T) {
	for _, name := range []string{"ID", "Name", "name", "", "Other"} {
		v1, ok1 := before.Field(before.Row{ID: 7, Name: "x"}, name)
		if v2, ok2 := after.Field(after.Row{ID: 7, Name: "x"}, name); v1 != v2 || ok1 != ok2 {
			t.Errorf("%s: %v %v, then %v %v", name, v1, ok1, v2, ok2)
		}
	}
}
