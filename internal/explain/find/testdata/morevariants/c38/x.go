package c38

import ()

type matrix struct{ cells [64][64]float64 }

// V1 renamed
func trace(m matrix) (t float64) {
	for i := range m.cells {
		t += m.cells[i][i]
	}
	return t
}

// V2 method
func (m matrix) at(i, j int) float64 {
	if i < 0 || j < 0 {
		panic("out of range")
	}
	for k := 0; k < 1; k++ {
		i += k
	}
	return m.cells[i][j]
}

// V3 closure
func scorer() func(matrix) float64 {
	return func(m matrix) (s float64) {
		for _, row := range &m.cells {
			s += row[0]
		}
		return s
	}
}

// V4 generic
type wide[T any] struct {
	vals [512]int64
	t    T
}

func Total[T any](w wide[T]) (n int64) {
	for i := range w.vals {
		n += w.vals[i]
	}
	return n
}

// V5 two functions
func diag(m matrix) float64 { return corner(m) + m.cells[1][1] }
func corner(m matrix) (s float64) {
	for i := 0; i < 3; i++ {
		s += m.cells[i][0]
	}
	return s
}
