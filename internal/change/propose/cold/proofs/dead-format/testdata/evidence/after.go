// Package evidence adds up lines of a bill, and says which one is wrong.
package evidence

import (
	"errors"
	"fmt"
)

// A Line is an amount at a price.
type Line struct{ Amount, Price int }

// Total adds up the lines.
func Total(lines []Line) (int, error) {
	sum := 0
	for i, l := range lines {
		if l.Amount < 0 || l.Price < 0 {
			place := fmt.Sprintf("line %d of %d", i+1, len(lines)) // target
			return 0, errors.New(place + " is negative")
		}
		sum += l.Amount * l.Price
	}
	return sum, nil
}
