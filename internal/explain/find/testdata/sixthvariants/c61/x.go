package c61

import "math/big"

// V1 method, range over int, other call
type invoice struct{ cents []int64 }

func (v *invoice) Above(rate, limit *big.Int) (n int) {
	for i := range len(v.cents) {
		due := big.NewInt(v.cents[i])
		due.Mul(due, rate)
		if due.Cmp(limit) > 0 {
			n++
		}
	}
	return n
}

// V2 two functions
func exceeds(text string, limit *big.Rat) bool {
	var r big.Rat
	if _, ok := r.SetString(text); !ok {
		return false
	}
	return r.Cmp(limit) > 0
}

func CountAbove(texts []string, limit *big.Rat) (n int) {
	for _, t := range texts {
		if exceeds(t, limit) {
			n++
		}
	}
	return n
}
