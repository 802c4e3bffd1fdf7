package c53

import "time"

// V1 method, endless loop, early continue
type client struct {
	in   chan string
	idle time.Duration
}

func (c *client) Drain() (n int) {
	for {
		select {
		case m, ok := <-c.in:
			if !ok {
				return n
			}
			if m == "" {
				continue
			}
			n++
		case <-time.After(c.idle):
			return n
		}
	}
}

// V2 other call, range over int
func Poll(ready <-chan int, tries int) (sum int) {
	for range tries {
		select {
		case n := <-ready:
			sum += n
		case <-time.NewTimer(50 * time.Millisecond).C:
			sum--
		}
	}
	return sum
}
