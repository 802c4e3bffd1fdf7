package equal

import (
	"context"
	"testing"
	"time"

	after "evidence/after"
	before "evidence/before"
)

type limit interface {
	Take(context.Context) (int, error)
	Give(int)
}

// story takes what there is, waits in vain, and is cancelled.
func story(t *testing.T, l limit, n int) (tokens []int, errs []string) {
	take := func(ctx context.Context) {
		token, err := l.Take(ctx)
		if err != nil {
			errs = append(errs, err.Error())
			return
		}
		tokens = append(tokens, token)
	}
	for range n + 1 {
		take(t.Context())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	take(ctx)
	time.AfterFunc(time.Millisecond, func() { l.Give(7) })
	take(context.Background())
	return tokens, errs
}

func TestTake(t *testing.T) {
	for n := range 4 {
		b1, b2 := story(t, before.New(n, 50*time.Millisecond), n)
		a1, a2 := story(t, after.New(n, 50*time.Millisecond), n)
		if len(a1) != len(b1) || len(a2) != len(b2) {
			t.Fatalf("%d: %v %v, then %v %v", n, b1, b2, a1, a2)
		}
		for i := range b1 {
			if a1[i] != b1[i] {
				t.Errorf("%d: %v, then %v", n, b1, a1)
			}
		}
		for i := range b2 {
			if a2[i] != b2[i] {
				t.Errorf("%d: %v, then %v", n, b2, a2)
			}
		}
	}
}
