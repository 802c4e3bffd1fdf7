package c56

import "runtime"

// V4 generic
type sample[T any] struct {
	value T
	heap  uint64
}

func record[T any](values []T, each func(T)) []sample[T] {
	samples := make([]sample[T], 0, len(values))
	for _, v := range values {
		each(v)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		samples = append(samples, sample[T]{v, m.HeapAlloc})
	}
	return samples
}
