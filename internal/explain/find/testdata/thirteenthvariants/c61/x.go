package c61

import (
	"fmt"
	"math/big"
)

// V1 closure

type posting struct {
	account string
	amount  string
}

func balanced(entries [][]posting) error {
	check := func(line int, postings []posting) error {
		sum := new(big.Rat)
		for _, p := range postings {
			amount, ok := new(big.Rat).SetString(p.amount)
			if !ok {
				return fmt.Errorf("line %d: bad amount %q", line, p.amount)
			}
			sum.Add(sum, amount)
		}
		if sum.Sign() != 0 {
			return fmt.Errorf("line %d: not balanced", line)
		}
		return nil
	}
	for i, e := range entries {
		if err := check(i+1, e); err != nil {
			return err
		}
	}
	return nil
}
