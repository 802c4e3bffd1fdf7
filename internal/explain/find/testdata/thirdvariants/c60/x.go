package c60

import (
	"bufio"
	"strconv"
	"strings"
)

// V2 method
type loader struct{ vals []int64 }

func (l *loader) load(sc *bufio.Scanner) error {
	for sc.Scan() {
		for _, f := range strings.Fields(sc.Text()) {
			v, err := strconv.ParseInt(f, 10, 64)
			if err != nil {
				return err
			}
			l.vals = append(l.vals, v)
		}
	}
	return sc.Err()
}
