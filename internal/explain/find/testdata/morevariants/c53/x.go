package c53

import (
	"time"
)

// V1 renamed
func receive(in <-chan string, f func(string)) {
	for {
		select {
		case s := <-in:
			f(s)
		case <-time.After(30 * time.Second):
			return
		}
	}
}

// V2 method
type sess struct {
	msgs chan []byte
	idle time.Duration
}

func (s *sess) run() {
	for {
		select {
		case m := <-s.msgs:
			_ = m
		case <-time.After(s.idle):
			return
		}
	}
}

// V3 closure
func pump(ch <-chan int) {
	go func() {
		for {
			select {
			case v, ok := <-ch:
				if !ok {
					return
				}
				println(v)
			case <-time.After(time.Minute):
				println("idle")
			}
		}
	}()
}

// V4 generic
func Drain[T any](ch <-chan T, d time.Duration, f func(T)) {
	for {
		select {
		case v := <-ch:
			f(v)
		case <-time.After(d):
			return
		}
	}
}

// V5 two functions
func timeout() <-chan time.Time { return time.After(5 * time.Second) }
func serve(ch <-chan int) {
	for {
		select {
		case v := <-ch:
			println(v)
		case <-timeout():
			return
		}
	}
}
