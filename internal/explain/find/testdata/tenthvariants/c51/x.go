package c51

import "runtime"

// V1 two functions, method
type Kernel struct {
	weights []float64
	radius  int
}

func breathe(i int) {
	if i&1023 == 0 {
		runtime.Gosched()
	}
}

func (k *Kernel) Convolve(dst, src []float64) {
	for i := range src {
		var acc float64
		for j, w := range k.weights {
			if at := i + j - k.radius; at >= 0 && at < len(src) {
				acc += src[at] * w
			}
		}
		dst[i] = acc
		breathe(i)
	}
}
