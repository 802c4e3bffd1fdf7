// Package evidence adds up amounts and names the one that is wrong.
package evidence

import (
	"errors"
	"fmt"
)

// Total returns the sum of amounts of an account, all at least 0.
func Total(account int, amounts []int) (int, error) {
	sum := 0
	for i, a := range amounts {
		where := fmt.Sprintf("account %d, amount %d", account, i)
		if a < 0 {
			return 0, errors.New(where + ": negative")
		}
		sum += a
	}
	return sum, nil
}
