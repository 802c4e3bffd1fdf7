// Package evidence watches events.
package evidence

import "context"

// Watch calls use with the next event.
func Watch(ctx context.Context, events <-chan string, use func(string)) {
	go func() {
		select {
		case e := <-events:
			use(e)
		case <-ctx.Done():
		}
	}()
}
