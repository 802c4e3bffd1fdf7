package equal

import (
	"fmt"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

type base struct {
	ID   int `t:"id"`
	Name string
}

type twin struct{ Name string }

type (
	one  struct{ base }
	two  struct{ *base }
	both struct {
		base
		twin
	}
	shut  struct{ a, b int }
	named struct {
		A int `t:"B"`
		B int `t:"A"`
	}
)

// said returns what a call returns or panics with.
func said(get func(any, string) any, from any, member string) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint("panic: ", r)
		}
	}()
	return fmt.Sprintf("%#v", get(from, member))
}

func TestGet(t *testing.T) {
	values := []any{one{base{1, "x"}}, two{&base{2, "y"}}, two{}, both{base{3, "z"}, twin{"w"}}, shut{4, 5}, named{6, 7}, &one{}, 8, nil}
	for range 2 {
		for _, v := range values {
			for _, m := range []string{"id", "ID", "Name", "base", "twin", "a", "A", "B", "", "none"} {
				if a, b := said(before.Get, v, m), said(after.Get, v, m); a != b {
					t.Errorf("%T.%s: %s, then %s", v, m, a, b)
				}
			}
		}
	}
}
