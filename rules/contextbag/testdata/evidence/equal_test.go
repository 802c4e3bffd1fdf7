package equal

import (
	"context"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestHandle(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ctx := range []context.Context{t.Context(), over} {
		for _, user := range []string{"", "ada", "somebody else"} {
			b := before.Handle(ctx, before.Config{Greeting: "hi ", Limits: [16]int{5}}, user)
			if a := after.Handle(ctx, after.Config{Greeting: "hi ", Limits: [16]int{5}}, user); a != b {
				t.Errorf("%s: %q, then %q", user, b, a)
			}
		}
	}
}
