package a

import (
	"sync"
	"time"
)

type Counter struct{ ch chan int64 }

func NewCounter() *Counter {
	c := &Counter{ch: make(chan int64, 1024)}
	go func() {
		for v := range c.ch {
			_ = v
		}
	}()
	return c
}

func (c *Counter) Inc() { c.ch <- 1 } // want `nothing is done with what is sent to ch but adding it up; an atomic counter does that without a lock or a goroutine`

var hits = make(chan struct{}, 100)

var total int

func count() {
	for range hits {
		total++
	}
}

func hit() {
	hits <- struct{}{} // want `sent to hits but adding it up`
}

type meter[T any] struct {
	steps chan int
	sum   int
}

func (m *meter[T]) start() { go m.add(m.steps) }

func (m *meter[T]) add(ch <-chan int) {
	for n := range ch {
		m.sum += n
	}
}

func (m *meter[T]) step(v T) {
	m.steps <- 2 // want `sent to steps but adding it up`
}

func closures(work []func() bool) (failed int) {
	ch := make(chan bool)
	var wg sync.WaitGroup
	for _, f := range work {
		wg.Go(func() {
			if !f() {
				ch <- true // want `sent to ch but adding it up`
			}
		})
	}
	go func() {
		wg.Wait()
		close(ch)
	}()
	for range ch {
		failed++
	}
	return failed
}

type visits struct {
	each chan struct{}
	n    int
}

func (v *visits) run() {
	for {
		_, open := <-v.each
		if !open {
			return
		}
		v.n++
	}
}

func (v *visits) visit() { v.each <- struct{}{} } // want `sent to each but adding it up`

// What follows is left alone.

func firstFew(ch chan bool) (n int) {
	go func() { ch <- true }()
	for {
		_, open := <-ch
		if n > 3 {
			return n
		}
		n++
		_ = open
	}
}

func values(work []func() int) (sum int) {
	ch := make(chan int)
	for _, f := range work {
		go func() { ch <- f() }() // results
	}
	for v := range ch {
		sum += v
	}
	return sum
}

func barrier(work func()) {
	done := make(chan struct{})
	go func() {
		work()
		done <- struct{}{}
		close(done)
	}()
	for range done {
	}
}

func logged(log func(int)) chan<- int {
	ch := make(chan int)
	go func() {
		for v := range ch {
			log(v)
		}
	}()
	ch <- 1
	return ch
}

func selected(stop <-chan bool) (n int) {
	ch := make(chan int)
	go func() {
		for {
			select {
			case ch <- 1:
			case <-stop:
				return
			}
		}
	}()
	for range ch {
		n++
	}
	return n
}

func received() (n int) {
	ch := make(chan int)
	go func() { ch <- 1 }()
	<-ch
	for range ch {
		n++
	}
	return n
}

func ticks(t *time.Ticker) (n int) {
	for range t.C {
		n++
	}
	return n
}
