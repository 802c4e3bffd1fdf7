package c53

import (
	"fmt"
	"time"
)

// V1 renamed
func pump(in chan int, f func(int)) {
	for {
		select {
		case n := <-in:
			f(n)
		case <-time.After(time.Minute):
			return
		}
	}
}

// V2 method
type wk struct {
	q    chan string
	quit chan bool
}

func (w *wk) run() {
	for {
		select {
		case s := <-w.q:
			fmt.Println(s)
		case <-w.quit:
			return
		case <-time.After(200 * time.Millisecond):
			fmt.Println("idle")
		}
	}
}

// V3 closure
func bg(c <-chan int) {
	go func() {
		for {
			select {
			case <-c:
			case <-time.After(time.Second):
				return
			}
		}
	}()
}

// V4 generic
func drain[T any](c <-chan T, d time.Duration) (xs []T) {
	for {
		select {
		case x := <-c:
			xs = append(xs, x)
		case <-time.After(d):
			return
		}
	}
}

// V5 two functions
func idle() <-chan time.Time { return time.After(5 * time.Second) }
func loop(c <-chan int) {
	for {
		select {
		case <-c:
		case <-idle():
			return
		}
	}
}
