// Package evidence counts.
package evidence

// A Counter counts what goroutines tell it.
type Counter struct {
	ch   chan int64
	done chan int64
}

// NewCounter returns a counter at zero.
func NewCounter() *Counter {
	c := &Counter{ch: make(chan int64, 1024), done: make(chan int64)}
	go func() {
		var n int64
		for v := range c.ch {
			n += v
		}
		c.done <- n
	}()
	return c
}

// Inc counts one.
func (c *Counter) Inc() { c.ch <- 1 }

// Sum ends the counting and returns the count.
func (c *Counter) Sum() int64 {
	close(c.ch)
	return <-c.done
}
