package c53

import (
	"context"
	"time"
)

type lease struct {
	id string
}

// V1 closure
func keepAlive(ctx context.Context, renewals <-chan lease, expire func(id string)) {
	go func() {
		current := ""
		for {
			select {
			case l := <-renewals:
				current = l.id
			case <-time.After(30 * time.Second):
				expire(current)
			case <-ctx.Done():
				return
			}
		}
	}()
}
