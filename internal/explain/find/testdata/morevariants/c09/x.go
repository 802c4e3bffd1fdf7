package c09

import ()

// V1 renamed
func total(prices []float64) any {
	sum := 0.0
	for _, p := range prices {
		sum += p
	}
	return any(sum)
}

// V2 method
type ring struct{ items []any }

func (r *ring) record(format string, vals ...any) { r.items = append(r.items, vals...) }
func (r *ring) run(n int) {
	for i := 0; i < n; i++ {
		r.record("step", i, float64(i))
	}
}

// V3 closure
func counter() func([]int) interface{} {
	return func(xs []int) interface{} {
		n := 0
		for range xs {
			n++
		}
		return n
	}
}

// V4 generic
type number interface{ ~int | ~float64 }

func Sum[N number](ns []N) any {
	var t N
	for _, n := range ns {
		t += n
	}
	return t
}

// V5 two functions
var held []any

func put(v any) { held = append(held, v) }
func storeAll(ns []int64) {
	for _, n := range ns {
		put(n)
	}
}
