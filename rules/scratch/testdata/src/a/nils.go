package a

import (
	"bytes"
	"fmt"
)

func told(xs []int) string {
	if xs == nil {
		return "none"
	}
	return fmt.Sprint(len(xs))
}

func counted(xs []int) int { return len(xs) }

func positive(rows [][]int) (out []string) {
	for _, row := range rows {
		var some []int // want `the slice some is made anew in each iteration`
		for _, x := range row {
			if x > 0 {
				some = append(some, x)
			}
		}
		out = append(out, told(some)) // the next turn would not begin with nil: no fix
	}
	return out
}

func doubled(rows [][]int) (out []string) {
	for _, row := range rows {
		twice := make([]int, 2*len(row)) // want `the slice twice is made anew in each iteration`
		copy(twice, row)
		out = append(out, told(twice))
	}
	return out
}

func copied(rows [][]byte) (out [][]byte) {
	for _, row := range rows {
		all := make([]byte, 0, len(row)) // want `the slice all is made anew in each iteration`
		for _, c := range row {
			if c != ' ' {
				all = append(all, c)
			}
		}
		out = append(out, bytes.Clone(all))
	}
	return out
}

func sizes(rows [][]int) (n int) {
	for _, row := range rows {
		var some []int // want `the slice some is made anew in each iteration`
		for _, x := range row {
			some = append(some, -x)
		}
		n += counted(some)
	}
	return n
}

type problems []string

func (p problems) Error() string { return fmt.Sprint(len(p)) }

// What follows is left alone.

func wrapped(rows [][]string) (errs []error) {
	for _, row := range rows {
		var bad problems
		for _, s := range row {
			bad = append(bad, s)
		}
		errs = append(errs, fmt.Errorf("a row: %w", bad))
	}
	return errs
}
