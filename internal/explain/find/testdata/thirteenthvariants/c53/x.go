package c53

import (
	"context"
	"time"
)

// V1 closure

type lease struct {
	id string
}

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
