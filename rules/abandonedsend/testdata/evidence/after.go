// Package evidence asks with a deadline.
package evidence

import "context"

// Fetch returns what get does, unless the context ends first.
func Fetch(ctx context.Context, get func() string) (string, error) {
	result := make(chan string, 1)
	go func() {
		result <- get()
	}()
	select {
	case s := <-result:
		return s, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
