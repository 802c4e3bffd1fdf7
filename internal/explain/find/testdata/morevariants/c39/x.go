package c39

import ()

// V1 renamed
func listen(events <-chan int) {
	go func() {
		e := <-events
		println(e)
	}()
}

// V2 method
type monitor struct {
	in   chan string
	last string
}

func (m *monitor) start() {
	go func() {
		for {
			m.last = <-m.in
		}
	}()
}

// V3 closure
func watcher(ch <-chan error) func() {
	return func() {
		go func() {
			err := <-ch
			_ = err
		}()
	}
}

// V4 generic
func Await[T any](ch <-chan T, f func(T)) {
	go func() {
		v := <-ch
		f(v)
	}()
}

// V5 two functions
func drain(ch <-chan string) {
	msg := <-ch
	println(msg)
}
func watch(ch <-chan string) { go drain(ch) }
