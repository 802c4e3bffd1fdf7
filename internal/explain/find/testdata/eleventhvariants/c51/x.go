package c51

import "runtime"

// V1 renamed

func sieve(limit int) []bool {
	composite := make([]bool, limit+1)
	for p := 2; p*p <= limit; p++ {
		if composite[p] {
			continue
		}
		for q := p * p; q <= limit; q += p {
			composite[q] = true
		}
		runtime.Gosched()
	}
	return composite
}
