package c18

import "bufio"

// V3 closure, missed
type row struct {
	line string
	n    int
}

func produce(sc *bufio.Scanner) <-chan *row {
	out := make(chan *row)
	go func() {
		defer close(out)
		for i := 0; sc.Scan(); i++ {
			out <- &row{line: sc.Text(), n: i}
		}
	}()
	return out
}
