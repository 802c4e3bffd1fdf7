package c07

import (
	"errors"
	"fmt"
)

// V1 closure
type step struct {
	name string
	cost int
}

func Planner(budget int) func(id int, steps []step) error {
	return func(id int, steps []step) error {
		for i, s := range steps {
			where := fmt.Sprintf("plan %d, step %d", id, i)
			if s.cost > budget {
				return errors.New(where + ": too expensive")
			}
			budget -= s.cost
		}
		return nil
	}
}
