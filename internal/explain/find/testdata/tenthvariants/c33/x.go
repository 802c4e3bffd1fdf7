package c33

import (
	"context"
	"errors"
	"time"
)

type Options struct {
	Region, Bucket, Prefix string
	Retries                int
	Timeout                time.Duration
	Exclude                []string
	Limits                 [8]int64
}

var errSkipped = errors.New("skipped")

// V1 generic helpers, two functions
type slot[T any] struct{}

func with[T any](ctx context.Context, v T) context.Context {
	return context.WithValue(ctx, slot[T]{}, v)
}

func from[T any](ctx context.Context) (v T) {
	v, _ = ctx.Value(slot[T]{}).(T)
	return v
}

func Sync(ctx context.Context, opts Options, keys []string) error {
	ctx = with(ctx, opts)
	for _, k := range keys {
		if err := upload(ctx, k); err != nil && !errors.Is(err, errSkipped) {
			return err
		}
	}
	return nil
}

func upload(ctx context.Context, key string) error {
	opts := from[Options](ctx)
	for _, x := range opts.Exclude {
		if x == key {
			return errSkipped
		}
	}
	if int64(len(key)) > opts.Limits[0] {
		return errors.New("key too long")
	}
	return ctx.Err()
}
