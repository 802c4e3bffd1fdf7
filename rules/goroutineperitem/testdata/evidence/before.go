// Package evidence adds what can be computed of rows.
package evidence

import "sync"

// A Row has a value and a checksum of it.
type Row struct {
	Value uint64
	Sum   uint64
}

// Enrich returns the rows with their sums.
func Enrich(rows []Row) []Row {
	out := make([]Row, len(rows))
	var wg sync.WaitGroup
	for i, r := range rows {
		wg.Add(1)
		go func(i int, r Row) {
			defer wg.Done()
			r.Sum = sum(r.Value)
			out[i] = r
		}(i, r)
	}
	wg.Wait()
	return out
}

// sum takes about a tenth of a microsecond.
func sum(v uint64) uint64 {
	for range 60 {
		v ^= v << 13
		v ^= v >> 7
		v ^= v << 17
	}
	return v
}
