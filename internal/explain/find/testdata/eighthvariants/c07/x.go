package c07

import "fmt"

// V1 two functions
type checker struct{ max int }

func label(shard, row int) string { return fmt.Sprintf("shard %d, row %d", shard, row) }

func (c checker) Check(shard int, sizes []int) error {
	for row, n := range sizes {
		where := label(shard, row)
		if n > c.max {
			return fmt.Errorf("%s: %d bytes are too many", where, n)
		}
	}
	return nil
}
