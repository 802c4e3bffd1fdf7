// Package evidence checks amounts of money.
package evidence

import "math/big"

// Positive reports whether all amounts are numbers greater than zero.
func Positive(amounts []string) bool {
	for _, s := range amounts {
		r, ok := new(big.Rat).SetString(s)
		if !ok || r.Sign() <= 0 {
			return false
		}
	}
	return true
}

// Total returns the sum of prices times quantities, in cents.
func Total(cents, quantities []int64) string {
	sum := new(big.Int)
	for i, c := range cents {
		q := new(big.Int).SetInt64(quantities[i])
		q.Mul(q, new(big.Int).SetInt64(c))
		sum.Add(sum, q)
	}
	return sum.String()
}
