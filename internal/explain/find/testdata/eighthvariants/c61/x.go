package c61

import "math/big"

// V1 two functions
type posting struct{ amount string }

func positive(s string) bool {
	r := new(big.Rat)
	if _, ok := r.SetString(s); !ok {
		return false
	}
	return r.Sign() > 0
}

func Valid(postings []posting) bool {
	for _, p := range postings {
		if !positive(p.amount) {
			return false
		}
	}
	return true
}
