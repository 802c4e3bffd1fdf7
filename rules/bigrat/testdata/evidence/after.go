// Package evidence checks amounts of money.
package evidence

import "math/big"

// Positive reports whether all amounts are numbers greater than zero.
func Positive(amounts []string) bool {
	ratItem := new(big.Rat)
	for _, s := range amounts {
		r, ok := ratItem.SetString(s)
		if !ok || r.Sign() <= 0 {
			return false
		}
	}
	return true
}

// Total returns the sum of prices times quantities, in cents.
func Total(cents, quantities []int64) string {
	sum := new(big.Int)
	intItem2 := new(big.Int)
	intItem := new(big.Int)
	for i, c := range cents {
		q := intItem.SetInt64(quantities[i])
		q.Mul(q, intItem2.SetInt64(c))
		sum.Add(sum, q)
	}
	return sum.String()
}
