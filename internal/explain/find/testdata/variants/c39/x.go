package c39

import (
	"errors"
	"fmt"
	"time"
)

// V1 renamed
func notify(done chan int) {
	go func() {
		for {
			v := <-done
			fmt.Println(v)
		}
	}()
}

// V2 method
type sub struct{ in chan string }

func (s *sub) listen() {
	go func() {
		m := <-s.in
		fmt.Println(m)
	}()
}

// V3 closure
func first(urls []string, get func(string) string) string {
	res := make(chan string)
	for _, u := range urls {
		go func() { res <- get(u) }()
	}
	return <-res
}

// V4 generic
func timeout[T any](f func() T, d time.Duration) (T, error) {
	ch := make(chan T)
	go func() { ch <- f() }()
	select {
	case v := <-ch:
		return v, nil
	case <-time.After(d):
		var z T
		return z, errors.New("timeout")
	}
}

// V5 two functions
func drain(ch <-chan int) { x := <-ch; fmt.Println(x) }
func spawn(ch <-chan int) { go drain(ch) }
