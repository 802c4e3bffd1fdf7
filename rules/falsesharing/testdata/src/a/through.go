package a

import "sync/atomic"

var (
	perWorker [64]uint64
	perShard  [64]atomic.Uint32
)

func addOne(p *uint64) { atomic.AddUint64(p, 1) }

func workerDone(i int) { addOne(&perWorker[i]) } // want `8 elements of perWorker share a cache line`

func tallies(n int) func(int) {
	all := make([]atomic.Int32, n)
	return func(i int) { all[i].Add(1) } // want `16 elements of all share a cache line`
}

var ofPackage = func(i int) {
	one := &perShard[i] // want `16 elements of perShard share a cache line`
	one.Add(1)
}

// What follows is left alone.

var lent = func(all []totals, i int) {
	one := all[i].read
	one.Add(1)
}

type totals struct{ read, written *atomic.Int64 }

func (t *totals) onRead()  { t.read.Add(1) }
func (t *totals) onWrite() { t.written.Add(1) }

func once(n int) (sum int64) {
	all := make([]atomic.Int64, n)
	for i := range all {
		all[i].Add(1)
		sum += all[i].Load()
	}
	return sum
}
