package c29

import ()

type vec struct{ x, y, z float64 }

// V1 renamed
func particles(n int) []*vec {
	ps := make([]*vec, 0, n)
	for i := 0; i < n; i++ {
		ps = append(ps, &vec{x: float64(i)})
	}
	return ps
}

// V2 method
type factory struct{ n int }

func (f factory) build() []*vec {
	out := make([]*vec, f.n)
	for i := range out {
		out[i] = &vec{y: float64(i)}
	}
	return out
}

// V3 closure
func maker() func(xs []float64) []*vec {
	return func(xs []float64) []*vec {
		var out []*vec
		for _, x := range xs {
			v := &vec{x: x}
			out = append(out, v)
		}
		return out
	}
}

// V4 generic
type pair[K comparable, V any] struct {
	k K
	v V
}

func Pairs[K comparable, V any](m map[K]V) []*pair[K, V] {
	out := make([]*pair[K, V], 0, len(m))
	for k, v := range m {
		out = append(out, &pair[K, V]{k: k, v: v})
	}
	return out
}

// V5 two functions
func newVec(i int) *vec { return &vec{z: float64(i)} }
func cloud(n int) []*vec {
	out := make([]*vec, 0, n)
	for i := 0; i < n; i++ {
		out = append(out, newVec(i))
	}
	return out
}
