// Package evidence adds up numbers of any length.
package evidence

import (
	"fmt"
	"math/big"
	"strconv"
)

// Sum returns the sum of decimal numbers.
func Sum(texts []string) (*big.Int, error) {
	sum, n := new(big.Int), new(big.Int)
	for _, text := range texts {
		if _, ok := setDecimal(n, text); !ok { // hot
			return nil, fmt.Errorf("%q is no number", text)
		}
		sum.Add(sum, n)
	}
	return sum, nil
}

// setDecimal is z.SetString(s, 10), and quicker for a short number.
func setDecimal(z *big.Int, s string) (*big.Int, bool) {
	if len(s) <= 18 {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return z.SetInt64(n), true
		}
	}
	return z.SetString(s, 10)
}
