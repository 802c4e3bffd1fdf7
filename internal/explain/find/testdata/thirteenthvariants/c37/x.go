package c37

import "sync/atomic"

// V1 generic code

type number interface{ ~int64 | ~uint64 }

type stripe struct {
	total atomic.Int64
}

type Meter[N number] struct {
	stripes [32]stripe
}

func (m *Meter[N]) Add(worker int, n N) {
	m.stripes[worker%len(m.stripes)].total.Add(int64(n))
}

func (m *Meter[N]) Sum() N {
	var sum int64
	for i := range m.stripes {
		sum += m.stripes[i].total.Load()
	}
	return N(sum)
}
