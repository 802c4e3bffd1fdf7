package c61

import (
	"math/big"
)

// V1 renamed
func validAmounts(ss []string) bool {
	for _, s := range ss {
		r := new(big.Rat)
		if _, ok := r.SetString(s); !ok {
			return false
		}
	}
	return true
}

// V2 method
type ledger struct{ lines []string }

func (l *ledger) neg() (n int) {
	for _, s := range l.lines {
		v := &big.Int{}
		if _, ok := v.SetString(s, 10); ok && v.Sign() < 0 {
			n++
		}
	}
	return
}

// V3 closure
func summer(xs []string) func() string {
	return func() string {
		sum := new(big.Rat)
		for _, x := range xs {
			v, ok := new(big.Rat).SetString(x)
			if !ok {
				continue
			}
			sum.Add(sum, v)
		}
		return sum.FloatString(2)
	}
}

// V4 generic
func maxOf[S ~string](xs []S) *big.Int {
	m := new(big.Int)
	for _, x := range xs {
		var v big.Int
		v.SetString(string(x), 10)
		if v.Cmp(m) > 0 {
			m.Set(&v)
		}
	}
	return m
}

// V5 two functions
func parse(s string) (*big.Rat, bool) { return new(big.Rat).SetString(s) }
func allOK(ss []string) bool {
	for _, s := range ss {
		if _, ok := parse(s); !ok {
			return false
		}
	}
	return true
}
