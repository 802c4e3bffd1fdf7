package c38

type rec struct {
	data [600]byte
	n    int
}

// V1 renamed
func first(r rec) byte { return r.data[0] + byte(r.n) }

// V2 method, missed
func (r rec) size() int {
	s := 0
	for _, b := range r.data[:r.n] {
		s += int(b)
	}
	return s
}

// V3 closure
func sum(rs []rec) func() int {
	return func() int {
		t := 0
		for _, r := range rs {
			t += r.n
		}
		return t
	}
}

// V4 generic
type wide[T any] struct {
	xs [64]T
	n  int
}

func at(w wide[int64], i int) int64 { return w.xs[i] }

// V5 two functions
func inner(r rec) int { return r.n }
func outer(rs []rec) (t int) {
	for i := range rs {
		t += inner(rs[i])
	}
	return
}
