// Package evidence adds what can be computed of rows.
package evidence

import "sync/atomic"
import "runtime"
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
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(rows)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(rows); i = int(next.Add(1)) - 1 {
				r := rows[i]
				r.Sum = sum(r.Value)
				out[i] = r
			}
		})
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
