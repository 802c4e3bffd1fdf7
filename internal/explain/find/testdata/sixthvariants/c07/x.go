package c07

import (
	"errors"
	"fmt"
	"log"
	"strings"
)

// V1 method, switch
type record struct {
	id   int
	size int
	when int64
}

type checker struct {
	source string
	total  int
}

func (c *checker) Check(rec record) error {
	label := fmt.Sprintf("record %d of %s", rec.id, c.source)
	switch {
	case rec.size < 0:
		return errors.New(label + ": size")
	case rec.when == 0:
		return errors.New(label + ": no time")
	}
	c.total += rec.size
	return nil
}

// V2 closure, other call
func Walker(verbose bool, visit func(string) int) func(parts []string) int {
	return func(parts []string) int {
		full := strings.Join(parts, "/")
		n := visit(parts[len(parts)-1])
		if verbose {
			log.Println("visited", full)
		}
		return n
	}
}
