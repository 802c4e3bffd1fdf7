package c18

import (
	"bufio"
	"context"
	"io"
	"strings"
)

type Record struct {
	Offset             int64
	Level, Source, Msg string
}

// V1 method and two functions, send in a select
type Reader struct {
	out chan *Record
}

func (r *Reader) Run(ctx context.Context, src io.Reader) error {
	defer close(r.out)
	in := bufio.NewScanner(src)
	for at := int64(0); in.Scan(); at += int64(len(in.Bytes())) + 1 {
		rec := split(in.Text())
		rec.Offset = at
		select {
		case r.out <- rec:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return in.Err()
}

func split(line string) *Record {
	rec := new(Record)
	rec.Level, line, _ = strings.Cut(line, " ")
	rec.Source, rec.Msg, _ = strings.Cut(line, ": ")
	return rec
}

func (r *Reader) Errors() (n int) {
	for rec := range r.out {
		if rec.Level == "ERROR" {
			n++
		}
	}
	return n
}
