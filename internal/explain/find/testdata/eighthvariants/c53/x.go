package c53

import (
	"context"
	"time"
)

// V1 names
func forward(ctx context.Context, src <-chan string, idle time.Duration, emit func(string)) error {
	for {
		select {
		case line := <-src:
			emit(line)
		case <-time.After(idle):
			emit("keep-alive")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
