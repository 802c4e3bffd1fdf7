package c40

import (
	"fmt"
)

// V1 renamed
func poll(q chan int) int {
	s := 0
	for s < 100 {
		select {
		case n := <-q:
			s += n
		default:
		}
	}
	return s
}

// V2 method
type w struct {
	in   chan string
	stop bool
}

func (x *w) loop() {
	for !x.stop {
		select {
		case m := <-x.in:
			fmt.Println(m)
		default:
			continue
		}
	}
}

// V3 closure
func spin(c <-chan struct{}) func() {
	return func() {
		for {
			select {
			case <-c:
				return
			default:
			}
		}
	}
}

// V4 generic
func pump[T any](in <-chan T, f func(T)) {
	for {
		select {
		case v, ok := <-in:
			if !ok {
				return
			}
			f(v)
		default:
			// nothing yet
		}
	}
}

// V5 two functions, missed
func try(c chan int) (int, bool) {
	select {
	case v := <-c:
		return v, true
	default:
		return 0, false
	}
}
func wait(c chan int) int {
	for {
		if v, ok := try(c); ok {
			return v
		}
	}
}
