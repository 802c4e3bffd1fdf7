package c60

import (
	"bufio"
	"fmt"
	"io"
)

type Sample struct {
	At    int64
	Value uint32
}

// V1 methods of a codec, Sscanf in a scanner's loop, missed
type Codec struct {
	w io.Writer
	r *bufio.Scanner
}

func (c *Codec) Write(all []Sample) error {
	for _, s := range all {
		if _, err := fmt.Fprintf(c.w, "%d %d\n", s.At, s.Value); err != nil {
			return err
		}
	}
	return nil
}

func (c *Codec) Read() (all []Sample, err error) {
	for c.r.Scan() {
		var s Sample
		if _, err := fmt.Sscanf(c.r.Text(), "%d %d", &s.At, &s.Value); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, c.r.Err()
}
