package c09

// V1 renamed
func total(xs []float64) interface{} {
	t := 0.0
	for _, x := range xs {
		t += x
	}
	return t
}

// V2 method, missed
type ring struct{ items []any }

func (r *ring) push(n int) { r.items = append(r.items, n) }
func (r *ring) fill(k int) {
	for i := 0; i < k; i++ {
		r.push(i * 1000)
	}
}

// V3 closure, missed
func emitter(out func(any)) func([]int64) {
	return func(xs []int64) {
		for _, x := range xs {
			out(x)
		}
	}
}

// V4 generic
func maxOf[T int | float64](xs []T) any {
	m := xs[0]
	for _, x := range xs {
		if x > m {
			m = x
		}
	}
	return m
}

// V5 two functions
func store(vs *[]any, v any) { *vs = append(*vs, v) }
func collect(n int) []any {
	var vs []any
	for i := 0; i < n; i++ {
		store(&vs, i*i)
	}
	return vs
}
