package c40

import ()

func do(int) {}

// V1 renamed
func spin(jobs <-chan int) {
	for {
		select {
		case n := <-jobs:
			do(n)
		default:
		}
	}
}

// V2 method
type loop struct {
	c    chan int
	quit chan bool
}

func (l *loop) run() {
	for {
		select {
		case <-l.quit:
			return
		case v := <-l.c:
			do(v)
		default:
			continue
		}
	}
}

// V3 closure
func poller(ch <-chan int) func() {
	return func() {
		for {
			select {
			case v, ok := <-ch:
				if !ok {
					return
				}
				do(v)
			default:
			}
		}
	}
}

// V4 generic
func Consume[T any](ch <-chan T, f func(T)) {
	for {
		select {
		case v := <-ch:
			f(v)
		default:
		}
	}
}

// V5 two functions
func poll(ch <-chan int) {
	select {
	case v := <-ch:
		do(v)
	default:
	}
}
func pollForever(ch <-chan int) {
	for {
		poll(ch)
	}
}
