package c38

// V1 generic
type cell[T any] struct {
	key   [16]byte
	value T
	pad   [256]byte
}

func Count[T any](cells []cell[T], match func([16]byte) bool) (n int) {
	for _, c := range cells {
		if match(c.key) {
			n++
		}
	}
	return n
}
