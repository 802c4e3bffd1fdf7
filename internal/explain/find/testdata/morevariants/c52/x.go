package c52

import ()

// V1 renamed
type tally struct{ c chan int }

func newTally() *tally {
	t := &tally{c: make(chan int, 64)}
	go func() {
		n := 0
		for d := range t.c {
			n += d
		}
	}()
	return t
}
func (t *tally) hit() { t.c <- 1 }

// V2 method
type stats struct {
	inc   chan struct{}
	total int
}

func (s *stats) loop() {
	for range s.inc {
		s.total++
	}
}
func (s *stats) mark() { s.inc <- struct{}{} }

// V3 closure
func makeCounter() func() {
	ch := make(chan int64, 16)
	go func() {
		var sum int64
		for v := range ch {
			sum += v
		}
	}()
	return func() { ch <- 1 }
}

// V4 generic
type Meter[T any] struct {
	ch   chan uint64
	last T
}

func NewMeter[T any]() *Meter[T] {
	m := &Meter[T]{ch: make(chan uint64, 8)}
	go func() {
		var n uint64
		for v := range m.ch {
			n += v
		}
	}()
	return m
}
func (m *Meter[T]) Inc() { m.ch <- 1 }

// V5 two functions
type count struct{ ticks chan int }

func reduce(ch chan int) {
	t := 0
	for v := range ch {
		t += v
	}
}
func newCount() *count {
	c := &count{ticks: make(chan int, 10)}
	go reduce(c.ticks)
	return c
}
func (c *count) tick() { c.ticks <- 1 }
