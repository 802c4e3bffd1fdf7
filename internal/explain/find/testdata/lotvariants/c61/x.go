package x

import (
	"math/big"
)

// V1 other names
func total(amounts []int64) *big.Int {
	acc := new(big.Int)
	for _, am := range amounts {
		acc = new(big.Int).Add(acc, big.NewInt(am))
	}
	return acc
}
