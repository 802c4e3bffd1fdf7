package c09

// V1 generic, missed
type fifo[T any] struct{ items []any }

func (f *fifo[T]) push(v T) { f.items = append(f.items, v) }

func (f *fifo[T]) pop() (T, bool) {
	var zero T
	if len(f.items) == 0 {
		return zero, false
	}
	v := f.items[0].(T)
	f.items = f.items[1:]
	return v, true
}

func Drain(in []int64) (sum int64) {
	var f fifo[int64]
	for _, n := range in {
		f.push(n)
	}
	for {
		n, ok := f.pop()
		if !ok {
			return sum
		}
		sum += n
	}
}

// V2 multiple results
type reading struct {
	key   uint64
	value float64
}

func find(table []reading, key uint64) (any, bool) {
	for _, r := range table {
		if r.key == key {
			return r.value, true
		}
	}
	return nil, false
}

func Mean(table []reading, keys []uint64) float64 {
	sum := 0.0
	for _, k := range keys {
		v, ok := find(table, k)
		if !ok {
			continue
		}
		sum += v.(float64)
	}
	return sum / float64(len(keys))
}
