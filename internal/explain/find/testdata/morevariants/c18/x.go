package c18

import (
	"encoding/json"
)

type Record struct {
	At     int64
	Text   string
	Fields map[string]string
}

// V1 renamed
func parseStage(lines <-chan []byte, recs chan<- *Record) {
	for line := range lines {
		rec := &Record{}
		if json.Unmarshal(line, rec) != nil {
			continue
		}
		recs <- rec
	}
}

// V2 method
type pipe struct {
	in  chan string
	out chan *Record
}

func (p *pipe) run() {
	for s := range p.in {
		p.out <- &Record{Text: s}
	}
}

// V3 closure
func stage(in <-chan string) <-chan *Record {
	out := make(chan *Record)
	go func() {
		defer close(out)
		for s := range in {
			r := new(Record)
			r.Text = s
			out <- r
		}
	}()
	return out
}

// V4 generic
type Item[T any] struct {
	V      T
	N      int
	Fields map[string]string
}

func Wrap[T any](in <-chan T, out chan<- *Item[T]) {
	n := 0
	for v := range in {
		n++
		out <- &Item[T]{V: v, N: n}
	}
}

// V5 two functions
func newRecord(s string) *Record { return &Record{Text: s} }
func forward(in <-chan string, out chan<- *Record) {
	for s := range in {
		out <- newRecord(s)
	}
}
