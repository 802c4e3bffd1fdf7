package c61

import (
	"errors"
	"math/big"
)

// V2 method
type posting struct{ amount string }

type journal struct{ lines []posting }

func (j journal) validate() error {
	for _, p := range j.lines {
		if _, ok := new(big.Rat).SetString(p.amount); !ok {
			return errors.New("bad amount")
		}
	}
	return nil
}
