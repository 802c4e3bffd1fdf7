package c49

import (
	"context"
	"runtime/debug"
)

// V1 generic code

func inBatches[T any](ctx context.Context, items []T, size int, do func(context.Context, []T) error) error {
	for len(items) > 0 {
		n := min(size, len(items))
		if err := do(ctx, items[:n]); err != nil {
			return err
		}
		items = items[n:]
		debug.FreeOSMemory()
	}
	return nil
}
