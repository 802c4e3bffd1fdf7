package c61

import (
	"math/big"
)

// V1 renamed
func balanced(amounts []string) bool {
	sum := new(big.Rat)
	for _, a := range amounts {
		r, ok := new(big.Rat).SetString(a)
		if !ok {
			return false
		}
		sum.Add(sum, r)
	}
	return sum.Sign() == 0
}

// V2 method
type ledger struct{ posts []string }

func (l *ledger) valid() bool {
	for _, p := range l.posts {
		var r big.Rat
		if _, ok := r.SetString(p); !ok {
			return false
		}
	}
	return true
}

// V3 closure
func summing() func([]string) string {
	return func(in []string) string {
		t := new(big.Int)
		for _, s := range in {
			n := new(big.Int)
			n.SetString(s, 10)
			t.Add(t, n)
		}
		return t.String()
	}
}

// V4 generic
func Check[S ~string](vals []S) bool {
	for _, v := range vals {
		if _, ok := new(big.Rat).SetString(string(v)); !ok {
			return false
		}
	}
	return true
}

// V5 two functions
func amountOK(s string) bool {
	_, ok := new(big.Rat).SetString(s)
	return ok
}
func allOK(ss []string) bool {
	for _, s := range ss {
		if !amountOK(s) {
			return false
		}
	}
	return true
}
