// Package evidence records the attributes of events in a ring.
package evidence

// A Ring keeps the last attributes.
type Ring struct {
	values [1024]int64
	next   int
}

// add keeps a value.
func (r *Ring) add(v int64) {
	r.values[r.next&1023] = v
	r.next++
}

// Record keeps the latencies of a batch.
func Record(r *Ring, latencies []int64) {
	for _, l := range latencies {
		r.add(l)
	}
}

// Sum returns the sum of what is kept.
func (r *Ring) Sum() (sum int64) {
	for _, v := range r.values {
		sum += v
	}
	return sum
}
