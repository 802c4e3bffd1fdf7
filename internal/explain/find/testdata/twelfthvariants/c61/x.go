package c61

import (
	"fmt"
	"math/big"
)

// V4 generic
func checkAmounts[Row any](rows []Row, amount func(Row) string) error {
	for i, row := range rows {
		value, ok := new(big.Rat).SetString(amount(row))
		if !ok {
			return fmt.Errorf("row %d: %q is no amount", i, amount(row))
		}
		if value.Sign() <= 0 {
			return fmt.Errorf("row %d: the amount must be positive", i)
		}
	}
	return nil
}
