// Package evidence adds up numbers of any length.
package evidence

import (
	"fmt"
	"math/big"
)

// Sum returns the sum of decimal numbers.
func Sum(texts []string) (*big.Int, error) {
	sum, n := new(big.Int), new(big.Int)
	for _, text := range texts {
		if _, ok := n.SetString(text, 10); !ok { // hot
			return nil, fmt.Errorf("%q is no number", text)
		}
		sum.Add(sum, n)
	}
	return sum, nil
}
